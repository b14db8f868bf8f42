import { APP_GRANT, type Directory } from '../../../persistence/directory/index.ts';
import { digestToken } from '../../identity/index.ts';

/** Their secrets are published, so they exist only in data directories that were made for a demo. */
const DEMO_APPS = [
  { clientId: 'demo-partner', name: 'Demo partner', scopes: ['read', 'write'] },
  { clientId: 'demo-partner-read', name: 'Demo partner, reading', scopes: ['read'] },
];

const SEEDED_MARK = 'demo-partner-apps';

/** Registers the apps of the demo once; one that was removed since stays so. */
export async function seedDemoApps(directory: Directory, now: number): Promise<void> {
  if ((await directory.meta.get(SEEDED_MARK)) !== null) return;
  for (const app of DEMO_APPS) {
    await directory.oauthClients.register({
      ...app,
      secretHash: digestToken(`${app.clientId}-secret`),
      grantTypes: [APP_GRANT],
      redirectUris: [],
      actor: 'system:demo',
      at: now,
    });
  }
  await directory.meta.set({ key: SEEDED_MARK, value: String(now) });
}
