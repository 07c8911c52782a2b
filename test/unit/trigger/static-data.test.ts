import type { IDataObject } from 'n8n-workflow';
import {
  ownProgress,
  readRegistration,
  type Registration,
  writeRegistration,
} from '../../../nodes/AccountingAgencyTrigger/state/static-data';

/** A node's context, over the column of n8n's database. */
function contextOf(column: Record<string, IDataObject>, name = 'Agency events') {
  return {
    getNode: () => ({
      id: 'node-1',
      name,
      type: 'trigger',
      typeVersion: 2,
      position: [0, 0] as [number, number],
      parameters: {},
    }),
    getWorkflowStaticData: (type: string) => (column[type === 'node' ? `node:${name}` : type] ??= {}),
  };
}

const endpoint = {
  id: 'we_1',
  secret: 'whsec_x',
  workflowId: 'w',
  url: 'https://n8n.example',
  agency: 'https://agency.example',
  eventTypes: ['*'],
};
const progress = {
  agency: endpoint.agency,
  workflowId: 'w',
  since: '2026-11-01T00:00:00.000Z',
  position: 'c',
};
const kept: Registration = { endpoint, generation: 3, progress };

/** What the database holds when the node keeps all that. */
function written(): Record<string, IDataObject> {
  const column = {};
  writeRegistration(contextOf(column), kept);
  return column;
}

test('what is written is read again', () => expect(readRegistration(contextOf(written()))).toEqual(kept));

test('what an earlier version has kept is found again', () => {
  const column = {
    'node:Agency events': { endpoint, generation: 3 },
    global: { 'accountingAgencyTrigger:node-1': { progress } },
  };
  expect(readRegistration(contextOf(column))).toEqual(kept);
});

test('progress begins without a position', () => {
  const column = {};
  const begun = { generation: 0, progress: { ...progress, position: undefined } };
  writeRegistration(contextOf(column), begun);
  expect(readRegistration(contextOf(column))).toEqual(begun);
});

test('progress counts only in its workflow and at its agency', () => {
  expect(ownProgress(kept, progress)).toBe(progress);
  expect(ownProgress(kept, { ...progress, workflowId: 'copy' })).toBeUndefined();
  expect(ownProgress(kept, { ...progress, agency: 'https://other.example' })).toBeUndefined();
  expect(ownProgress({ generation: 0 }, progress)).toBeUndefined();
});

test('under another name, the node knows how far it has compared, and nobody else reads its secret', () => {
  const column = written();
  expect(readRegistration(contextOf(column, 'Renamed'))).toEqual({ generation: 0, progress });
  expect(JSON.stringify(column.global)).not.toContain(endpoint.secret);
});

test('what is removed is gone', () => {
  const column = written();
  writeRegistration(contextOf(column), { generation: 4 });
  expect(readRegistration(contextOf(column))).toEqual({ generation: 4 });
});

test.each([
  ...['id', 'secret', 'workflowId', 'url', 'agency'].flatMap((name) => [
    { [name]: null },
    { [name]: '' },
    { [name]: 5 },
  ]),
  ...[null, 'task.completed', [5], ['task.completed', 5]].map((eventTypes) => ({ eventTypes })),
  { createdAt: 5 },
])('an endpoint that is damaged counts as none: %j', (damage) => {
  const column = { 'node:Agency events': { endpoint: { ...endpoint, ...damage }, generation: 3 } };
  expect(readRegistration(contextOf(column))).toEqual({ generation: 3 });
});

test('an endpoint counts with and without the time of its creation, and with whatever events', () => {
  for (const changes of [{ createdAt: progress.since }, { eventTypes: [] }, { eventTypes: ['a', 'b'] }]) {
    const column = { 'node:Agency events': { endpoint: { ...endpoint, ...changes } } };
    expect(readRegistration(contextOf(column))).toEqual({
      endpoint: { ...endpoint, ...changes },
      generation: 0,
    });
  }
});

test.each([{ since: 'soon' }, { since: 5 }, { position: 5 }, { agency: undefined }, { workflowId: 1 }])(
  'progress that is damaged counts as none: %j',
  (damage) => {
    const column = {
      global: { 'accountingAgencyTrigger:node-1': { progress: { ...progress, ...damage } } },
    };
    expect(readRegistration(contextOf(column))).toEqual({ generation: 0 });
  },
);
