import type { Static, TSchema } from '@sinclair/typebox';
import { compileRenderer } from '../http/answer-serialiser.ts';
import type { RenderedJson } from '../http/reply.ts';
import type { Reference } from '../venue/reference.ts';

const BYTES_MAX = 8 * 1024 * 1024;
/** What keeping an answer costs beside its bytes, about. */
const ENTRY_BYTES = 256;

/**
 * Answers that are made of reference data and nothing else, rendered when they are first asked for and
 * kept until that data changes. A key must name all else that the answer depends on. Beyond so many
 * bytes those that were kept first go.
 */
export class KeptAnswers<S extends TSchema> {
  private readonly reference: Pick<Reference, 'revision'>;
  private readonly render: (body: Static<S>) => RenderedJson<Static<S>>;
  private readonly bytesMax: number;
  private readonly kept = new Map<unknown, RenderedJson<Static<S>>>();
  private revision = 0;
  private bytes = 0;

  /** `schema` is that of the response of the route. */
  constructor(reference: Pick<Reference, 'revision'>, schema: S, bytesMax = BYTES_MAX) {
    this.reference = reference;
    this.render = compileRenderer(schema);
    this.bytesMax = bytesMax;
  }

  /** `body` makes the answer of the reference data of this moment: what was looked up before may be old. */
  get(key: unknown, body: () => Static<S>): RenderedJson<Static<S>> {
    if (this.revision !== this.reference.revision) this.forget();
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const rendered = this.render(body());
    this.kept.set(key, rendered);
    this.bytes += rendered.bytes.length + ENTRY_BYTES;
    if (this.bytes > this.bytesMax) this.makeRoom();
    return rendered;
  }

  private forget(): void {
    this.kept.clear();
    this.bytes = 0;
    this.revision = this.reference.revision;
  }

  private makeRoom(): void {
    for (const [key, { bytes }] of this.kept) {
      if (this.bytes <= this.bytesMax) return;
      this.kept.delete(key);
      this.bytes -= bytes.length + ENTRY_BYTES;
    }
  }
}
