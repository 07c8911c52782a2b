import { makeNextPeriods } from '../seed/periods';
import type { Database } from '../store/database';
import { addPeriods, lastObligationId, newestMonth, periodsWithCompanies } from '../store/periods';
import type { Chore } from '../time/schedule';
import type { Agency } from './agency';
import { monthBounds } from './company-periods';

const endOf = (month: string): number => monthBounds(month)[1];

/** Opens the months that have begun since the newest one, with all their work to do. */
export function openMonths(db: Database, now: number): void {
  for (let month = newestMonth(db); month !== undefined && endOf(month) <= now; month = newestMonth(db)) {
    addPeriods(db, makeNextPeriods(periodsWithCompanies(db, month), lastObligationId(db, month)));
  }
}

/** Opens each month when it begins. */
export class NewMonths implements Chore {
  constructor(private readonly agency: Agency) {}

  nextDue(): number | undefined {
    const month = newestMonth(this.agency.db);
    return month === undefined ? undefined : endOf(month);
  }

  run(now: number): Promise<void> {
    openMonths(this.agency.db, now);
    return Promise.resolve();
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}
