/** What stands in the way and the way out, as the one line a person gets to see. */
export class Halt extends Error {
  override name = 'Halt';
}
