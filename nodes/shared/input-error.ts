/**
 * A value of the node's form (or of the credential) that cannot be used.
 * `message` names the field and what is wrong with it; `description` says the way out.
 */
export class InputError extends Error {
  constructor(
    readonly field: string,
    what: string,
    readonly description: string,
  ) {
    super(`${field} ${what}`);
    this.name = 'InputError';
  }
}

/** The error of an expression that gives nothing. */
export function missingValue(label: string, resolution: string): InputError {
  return new InputError(label, 'is an expression that returns nothing for this item.', resolution);
}
