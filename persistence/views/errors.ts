/**
 * The views do not fit the journal: an event names what they do not have. Views that were built from
 * another history are built anew; a journal that says this from its first event on is not sound.
 */
export class ViewsInconsistent extends Error {
  override readonly name = 'ViewsInconsistent';
}
