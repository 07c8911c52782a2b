import type { Item } from './item';

/** Keeps the name of a company that was read, for the output of records that have its ID alone. */
export function keepCompanyName(item: Item, { id, name }: { id: string; name: string }): void {
  item.shared.companyNames.set(id, name);
}

/** The name of a record's company, if the record has the ID alone and this run has read the company. */
export function companyNameOf(item: Item, record: object): { companyName?: string } {
  if (!('companyId' in record) || typeof record.companyId !== 'string' || 'companyName' in record) return {};
  const companyName = item.shared.companyNames.get(record.companyId);
  return companyName === undefined ? {} : { companyName };
}
