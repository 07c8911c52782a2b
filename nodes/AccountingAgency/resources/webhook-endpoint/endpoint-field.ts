import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../shared/input-error';
import { requiredId, requiredText } from '../../../shared/values/text';
import type { Item } from '../../engine/item';

const URL_FIELD = 'URL';

/** The endpoint that an operation is about. The API lists none, so it is given by its ID. */
export const endpointField: INodeProperties = {
  displayName: 'Endpoint ID',
  name: 'endpointId',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. 5f3a81c2',
  description:
    'The ID that "Create" returned, or that n8n\'s log shows for a trigger. Only keys of the same access can use it. The API has no list of endpoints.',
};

/**
 * The endpoint of an item.
 *
 * @throws InputError when none was given
 */
export function endpointOf(item: Item): string {
  return requiredId('Endpoint ID', item.value('endpointId'));
}

/** Name of the endpoint as the record that an item writes to. */
export const endpointRecord = (item: Item): string => `webhookEndpoint:${endpointOf(item)}`;

/** The address that events are sent to. */
export const urlField: INodeProperties = {
  displayName: URL_FIELD,
  name: 'url',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. https://n8n.example/webhook/agency',
  description: 'The https address to which the agency sends events. It must respond within 10 seconds.',
};

/**
 * The address of a webhook endpoint.
 *
 * @throws InputError for anything but a whole https address
 */
export function webhookUrl(value: unknown): string {
  const url = requiredText(URL_FIELD, value, Number.POSITIVE_INFINITY);
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new InputError(
    URL_FIELD,
    `is not an https address: "${url.slice(0, 60)}".`,
    'The agency sends events to https only. Enter the full address, e.g. https://n8n.example/webhook/agency.',
  );
}

/** What the endpoint is for, in the user's words. */
export const descriptionField: INodeProperties = {
  displayName: 'Description',
  name: 'description',
  type: 'string',
  default: '',
  placeholder: 'e.g. Archive of recognized documents',
  description: 'What the endpoint is for',
};
