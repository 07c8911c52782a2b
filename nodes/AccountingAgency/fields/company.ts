import { companyLocator } from '../../shared/fields/companyLocator';
import { requiredId } from '../../shared/values/texts';
import type { Item } from '../actions/item';

/** The field for the one company that an operation is about. */
export const companyField = companyLocator({ name: 'companyId' });

/**
 * The company of an item.
 *
 * @throws InputError when none was chosen
 */
export function companyOf(item: Item): string {
  return requiredId('Company', item.value('companyId'));
}
