import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { AccountingAgencyFeedTrigger } from '../../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';

// n8n gives such a check a quarter of a second by the clock, and stops the execution when a busy machine takes longer.
test.each([new AccountingAgency(), new AccountingAgencyFeedTrigger(), new AccountingAgencyTrigger()])(
  'n8n checks no field of $description.displayName with a regular expression',
  ({ description }) => {
    expect(description.properties.length).toBeGreaterThan(2);
    expect(JSON.stringify(description.properties)).not.toContain('regex');
  },
);
