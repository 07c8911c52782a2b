import type { AgencyEvent } from '../../../nodes/shared/events/event-types';
import { eventItem } from '../../../nodes/shared/events/record';
import { useAgency } from '../../support/trigger/registered';
import { anEvent } from '../../support/trigger/signing';
import { Host, storedWorkflow } from '../../support/trigger/trigger';

const agency = useAgency();
const arrived = (event: AgencyEvent) => eventItem(event, { source: 'webhook', endpointId: 'we_1' });

/** What the next node gets of an event when its execution runs. */
async function ran(include: string, event: AgencyEvent) {
  const host = new Host();
  const stored = storedWorkflow(agency().credential(), { parameters: { include } });
  const before = await agency().asked();
  const { data } = await host.execute(stored, [arrived(event)]);
  const again = await host.execute(stored, [arrived(event)]);
  expect(again.data.resultData.error).toBeUndefined();
  return { json: host.ran, error: data.resultData.error, asked: (await agency().asked()) - before };
}

async function documentEvent() {
  const { body } = await agency().sandbox.call<{ data: { id: string; companyId: string }[] }>({
    path: '/documents',
  });
  const { id = '', companyId = '' } = body.data[0] ?? {};
  const subject = { type: 'document', id };
  return anEvent({ id: `evt_${Math.random()}`, type: 'document.received', companyId, subject });
}

test('an event that is called in comes with its record: one request, and none for a repeat', async () => {
  const event = await documentEvent();
  const { json, asked } = await ran('record', event);
  expect(json).toEqual([
    expect.objectContaining({ id: event.id, record: expect.objectContaining({ id: event.subject.id }) }),
  ]);
  // The tests ask what was asked as well.
  expect(asked).toBe(1);
});

test('nothing is asked for unless it is included', async () => {
  const { json, asked } = await ran('nothing', await documentEvent());
  expect(json[0]).not.toHaveProperty('record');
  expect(asked).toBe(0);
});

test.each([
  ['by a person', 'retry'],
  ['by n8n, as "Retry On Fail" does', 'webhook'],
] as const)(
  'an execution fails with the reason when the record cannot be read, and runs when it is tried again %s',
  async (_, mode) => {
    const event = await documentEvent();
    const host = new Host();
    const stored = storedWorkflow(agency().credential(agency().sandbox.keys.revoked), {
      parameters: { include: 'record' },
    });
    const items = [arrived(event)];
    const { data } = await host.execute(stored, items);
    expect(data.resultData.error?.message).toMatch(/does not accept the API key/);
    expect(host.ran).toEqual([]);
    stored.credential = agency().credential();
    await host.execute(stored, items, mode);
    expect(host.ran).toEqual([
      expect.objectContaining({ record: expect.objectContaining({ id: event.subject.id }) }),
    ]);
  },
);

test("an execution fails, and can be tried again, when a proxy's page comes in place of the record", async () => {
  const event = await documentEvent();
  const host = new Host();
  const stored = storedWorkflow(agency().credential(), { parameters: { include: 'record' } });
  const page = { path: '/documents/*', times: 1, fault: 'html', status: 404 };
  await agency().sandbox.control('faults', [page]);
  const items = [arrived(event)];
  const { data } = await host.execute(stored, items);
  expect(data.resultData.error?.message).toMatch(/not from the agency's API/);
  expect(host.ran).toEqual([]);
  await host.execute(stored, items, 'retry');
  expect(host.ran).toEqual([
    expect.objectContaining({ record: expect.objectContaining({ id: event.subject.id }) }),
  ]);
});

test('an Include that does not exist is refused at publication', async () => {
  const stored = storedWorkflow(agency().credential(), { parameters: { include: 'document' } });
  await expect(new Host().activate(stored)).rejects.toThrow(
    /^Include cannot be "document"\. Use one of: nothing,/,
  );
  expect(agency().endpoints()).toEqual([]);
});
