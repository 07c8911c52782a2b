import { requiredText } from '../../../shared/values/text';
import { filterOf, filtersField, listFields, listRows } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { companyView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

/** Spec: Limits, text search `query`. */
const LONGEST_QUERY = 200;

export const getMany: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many companies',
  description: 'List or search the companies that the key has access to, ordered by name',
  builderHint: 'Not needed to find one company: Company takes an ID, a registration code or a VAT code.',
  calls: ['companies.list'],
  fields: [
    ...listFields,
    filtersField({
      displayName: 'Search Text',
      name: 'query',
      type: 'string',
      default: '',
      placeholder: 'e.g. Õunapuu OÜ',
      description: 'Part of the name, short name, registration code or VAT code',
    }),
    ...outputFields(companyView),
  ],
  async execute(item) {
    const query = filterOf(item, 'Search Text', 'query', searchText);
    return await listRows(
      item,
      async (page) => await item.request('GET /companies', { query: { query, ...page } }),
      outputMaker(item, companyView),
    );
  },
};

const searchText = (label: string, value: unknown): string => requiredText(label, value, LONGEST_QUERY);
