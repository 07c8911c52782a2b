import { webhookDescriptionIsNativelyResolvable } from 'n8n-workflow';
import { AccountingAgencyTrigger } from '../../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import { EVENTS } from '../../../nodes/shared/events/event-types';
import { enumOf } from '../../support/sandbox/contract';

const { description, methods } = new AccountingAgencyTrigger();
const field = (name: string) => description.properties.find((property) => property.name === name);

test('is a trigger of version 2 that no AI agent calls', () => {
  expect(description).toMatchObject({
    name: 'accountingAgencyTrigger',
    version: 2,
    group: ['trigger'],
    inputs: [],
  });
  expect(description.usableAsTool).toBeUndefined();
});

test('has nothing in its webhook that n8n would evaluate on every call', () => {
  const webhook = { name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived' };
  expect(description.webhooks).toEqual([
    expect.objectContaining({ ...webhook, responseData: 'noData', responseCode: 202 }),
  ]);
  expect(description.webhooks?.map(webhookDescriptionIsNativelyResolvable)).toEqual([true]);
});

test('offers every event type of the contract, with its description and the scope that it needs', () => {
  expect(Object.keys(EVENTS)).toEqual(enumOf('EventType'));
  const options = (field('events')?.options ?? []).slice(1);
  expect(options.map((option) => ('value' in option ? option.value : ''))).toEqual(Object.keys(EVENTS));
  for (const [index, { scope }] of Object.values(EVENTS).entries()) {
    const option = options[index];
    expect(option && 'description' in option ? option.description : '').toMatch(
      scope === undefined ? /Needs no scope\.$/ : new RegExp(`Needs the scope ${scope}\\.$`),
    );
  }
});

test("names each event for n8n's nodes panel, and starts with all of them", () => {
  expect(field('events')).toMatchObject({ displayName: 'Events', default: ['all'] });
  const names = (field('events')?.options ?? []).map((option) => ('action' in option ? option.action : ''));
  expect(names.slice(0, 4)).toEqual([
    'On any event',
    'On document received',
    'On document recognized',
    'On recognition failed',
  ]);
});

test('lists companies by the search that its field names', () => {
  expect(JSON.stringify(field('companyList'))).toContain('"searchListMethod":"searchCompanies"');
  expect(methods.listSearch).toHaveProperty('searchCompanies');
});

test('says in the editor what will happen', () => {
  const { activationMessage, eventTriggerDescription, waitingNodeTooltip, triggerPanel } = description;
  for (const text of [activationMessage, eventTriggerDescription, waitingNodeTooltip]) {
    expect(text).toMatch(/agency/);
  }
  expect(JSON.stringify(triggerPanel)).toMatch(/n8n removes the test webhook after .*two minutes/s);
});
