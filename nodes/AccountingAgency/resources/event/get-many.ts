import { AgencyError } from '../../../shared/api/errors/agency-error';
import { type FeedRequest, feedPages } from '../../../shared/api/event-feed';
import type { Schemas } from '../../../shared/api/routes';
import { LONGEST_CURSOR } from '../../../shared/api/pagination';
import { companyFilterOf } from '../../engine/company';
import { companyFilter } from '../../fields/company';
import { EVENT_TYPE_OPTIONS, EVENT_TYPES } from '../../../shared/events/event-types';
import { isOn } from '../../../shared/values/booleans';
import { choice, optionalText } from '../../../shared/values/text';
import { filterOf, filtersField, limitOf, listFields } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { eventView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const getMany: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many events',
  description:
    'Read what happened to documents, month-end work, tasks and companies from the event feed, oldest first',
  builderHint:
    'To start a workflow with events, use the Accounting Agency Trigger, or the Feed Trigger where n8n has no public address.',
  calls: ['events.list'],
  fields: [
    ...listFields,
    {
      displayName: 'Continue From',
      name: 'after',
      type: 'string',
      default: '',
      placeholder: 'e.g. {{ $json.nextCursor }}',
      description:
        'The nextCursor of an earlier run with the same filters. If empty, the feed is read from its oldest event.',
    },
    {
      displayName: 'Return Position for Next Run',
      name: 'outputCursor',
      type: 'boolean',
      default: false,
      description:
        'Whether to output one item with all events and nextCursor, even if nothing is new, instead of one item per event. Use nextCursor as Continue From the next time, and no event is missed or repeated.',
    },
    filtersField(companyFilter, {
      displayName: 'Type',
      name: 'type',
      type: 'options',
      options: EVENT_TYPE_OPTIONS,
      default: 'document.ocr_completed',
      description: 'Only events of this type',
    }),
    ...outputFields(eventView),
  ],
  async execute(item) {
    const after = optionalText('Continue From', item.value('after'), LONGEST_CURSOR);
    const filters = {
      type: filterOf(item, 'Type', 'type', eventType),
      companyId: await companyFilterOf(item),
    };
    const withCursor = isOn('Return Position for Next Run', item.value('outputCursor'));
    const events: Array<Schemas['Event']> = [];
    let nextCursor = after;
    const limit = limitOf(item);
    const ask: FeedRequest = async (page) =>
      await item.request('GET /events', { query: { ...filters, ...page } });
    for await (const page of feedPages(ask, after, limit)) {
      for (const event of page.events) events.push(event);
      nextCursor = page.cursor;
      if (page.isCutOff && !withCursor) throw endlessFeed();
    }
    const make = outputMaker(item, eventView);
    // With the cursor all of them are output, since it points past the last one.
    if (withCursor)
      return [{ json: { events: events.map((event) => make(event).json), nextCursor: nextCursor ?? null } }];
    return events.slice(0, limit).map(make);
  },
};

function endlessFeed(): AgencyError {
  return new AgencyError(
    'The agency returned page after page without events, so the feed would never end.',
    'Turn on Return Position for Next Run, and run it again with its nextCursor as Continue From. Or remove the filters.',
  );
}

const eventType = (label: string, value: unknown) => choice(label, value, EVENT_TYPES);
