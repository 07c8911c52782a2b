import type { INodeProperties } from 'n8n-workflow';
import { isRecord } from '../../shared/values/json';
import { trueOrFalse } from '../../shared/values/booleans';
import { type ChangeRule, changesOf } from '../../shared/values/changes';
import { calendarDate } from '../../shared/values/dates';
import { type Choices, oneOf, requiredText } from '../../shared/values/text';
import type { Item } from '../engine/item';

/** A field of an update form: how the editor shows it, and how it becomes a value of the API. */
export interface ChangeField {
  property: INodeProperties;
  clearable: boolean;
  read: ChangeRule['read'];
}

type Words = Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>;

/** A text of up to `most` characters; left empty it clears the field. */
export function textChange(most: number, { description, ...words }: Words): ChangeField {
  return {
    property: {
      ...words,
      type: 'string',
      default: '',
      description: `${description}, up to ${most} characters. Leave empty to clear.`,
    },
    clearable: true,
    read: (label, value) => requiredText(label, value, most),
  };
}

/** A calendar date; left empty it clears the field. */
export function dateChange({ description, ...words }: Words): ChangeField {
  return {
    property: {
      ...words,
      type: 'dateTime',
      default: '',
      description: `${description}. Leave empty to clear.`,
    },
    clearable: true,
    read: calendarDate,
  };
}

/** A switch, which is on or off and cannot be cleared. */
export function switchChange(words: Words): ChangeField {
  return { property: { ...words, type: 'boolean', default: false }, clearable: false, read: trueOrFalse };
}

/** One of the API's values. */
export function choiceChange<T extends string>(
  options: Choices<T>,
  first: NoInfer<T>,
  { clearable, ...words }: Words & { clearable: boolean },
): ChangeField {
  const none = { name: 'None (Clear)', value: '', description: 'Clear the field' };
  return {
    property: {
      ...words,
      type: 'options',
      options: clearable ? [...options, none] : options,
      default: first,
    },
    clearable,
    read: oneOf(options),
  };
}

/** The collection in which the fields of an update are added one by one. */
export function changeCollection(
  fields: ChangeField[],
  words: Words & { placeholder: string },
): INodeProperties {
  return { ...words, type: 'collection', default: {}, options: fields.map(({ property }) => property) };
}

/**
 * What an item changes by the fields of a collection, see `changesOf`.
 *
 * @param collection name of the collection
 * @throws InputError for values that cannot be used
 */
export function readChanges(item: Item, collection: string, fields: ChangeField[]): Record<string, unknown> {
  const added = item.value(collection);
  const rules = fields.map(({ property, clearable, read }) => ({
    name: property.name,
    label: property.displayName,
    clearable,
    read,
  }));
  return changesOf(rules, isRecord(added) ? added : {}, {
    timeZone: item.timeZone,
    filledByModel: (name) => item.filledByModel(`${collection}.${name}`),
  });
}
