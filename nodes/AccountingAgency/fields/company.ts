import { companyLocator } from '../../shared/fields/company-locator';
import { requiredId } from '../../shared/values/text';
import type { Item } from '../engine/item';

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
