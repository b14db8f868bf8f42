import type { PartnerRecord } from '../../../persistence/directory/index.ts';
import type { SecretBox } from '../../identity/index.ts';

/** How a record lies in the directory, where that differs from what is written and answered. */
export interface RecordCodec {
  stored(values: PartnerRecord, secrets: SecretBox): PartnerRecord;
  answered(record: PartnerRecord, secrets: SecretBox): PartnerRecord;
}

const USERNAME = 'rate-driver username';
const PASSWORD = 'rate-driver password';

interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/**
 * The credentials of a rate driver are sealed one by one, so that a change of one need not read the
 * other. The user name is answered; the password never leaves.
 */
export const driverCredentials: RecordCodec = {
  stored({ credentials, ...values }, secrets) {
    const { username, password } = (credentials ?? {}) as Credentials;
    return {
      ...values,
      ...(username === undefined ? {} : { sealedUsername: seal(secrets, username, USERNAME) }),
      ...(password === undefined ? {} : { sealedPassword: seal(secrets, password, PASSWORD) }),
    };
  },

  answered({ sealedUsername, sealedPassword, ...record }, secrets) {
    const bytes = Buffer.from(String(sealedUsername), 'base64');
    return { ...record, credentials: { username: secrets.open(bytes, USERNAME) } };
  },
};

function seal(secrets: SecretBox, text: string, context: string): string {
  return Buffer.from(secrets.seal(text, context)).toString('base64');
}
