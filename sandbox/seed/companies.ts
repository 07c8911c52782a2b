import type { Company } from '../records';
import { DAY, HOUR, iso } from '../time/clock';
import { date, START } from './dates';
import { COUNTRIES, type Country } from './names';
import { newRandom, type Random, rotate } from './random';

const COMPANY_COUNT = 280;

const REASONS = [
  'Ettevõte likvideeriti',
  'Client moved to another agency',
  'Tegevus peatatud "ajutiselt"',
] as const;

/** The agency's clients, in the order in which they came. */
export function makeCompanies(): Company[] {
  const random = newRandom(1);
  const taken = new Set<string>();
  return Array.from({ length: COMPANY_COUNT }, (_, index) => makeCompany(index, random, taken));
}

function makeCompany(index: number, random: Random, taken: Set<string>): Company {
  const country = rotate(COUNTRIES, index);
  const { name, shortName, form } = freshName(country, random, taken);
  const digits = String((37_561_283 + index * 7_654_321) % 100_000_000).padStart(8, '0');
  const created = START - random.int(30, 2000) * DAY;
  const stopped = index % 23 === 11;
  return {
    id: `cmp_${String(index + 1).padStart(4, '0')}`,
    name,
    shortName: index % 7 === 3 ? null : shortName,
    registrationCode: index % 41 === 20 ? null : country.registration(digits),
    ...vatOf(index, country, digits, created, random),
    legalForm: index % 29 === 13 ? null : form,
    address: index % 19 === 5 ? null : addressOf(country, random),
    directorName: index % 13 === 9 ? null : random.pick(country.people),
    ...employmentOf(index, created, random),
    serviceStoppedFrom: stopped ? date(START + random.int(20, 330) * DAY) : null,
    serviceStoppedReason: stopped ? random.pick(REASONS) : null,
    createdAt: iso(created),
    // A fourth of them changed during the seed's year.
    updatedAt: iso(index % 4 === 2 ? START + random.int(0, 355) * DAY + 9 * HOUR : created),
  };
}

function freshName(country: Country, random: Random, taken: Set<string>) {
  for (;;) {
    const shortName = random.pick(country.names);
    const form = random.pick(country.forms);
    const name = country.write(shortName, random.pick(country.trades), form);
    if (taken.has(name)) continue;
    taken.add(name);
    return { name, shortName, form };
  }
}

const addressOf = (country: Country, random: Random): string =>
  `${random.pick(country.streets)} ${random.int(1, 120)}${random.chance(20) ? 'a' : ''}, ${random.pick(country.cities)}`;

function vatOf(index: number, country: Country, digits: string, created: number, random: Random) {
  if (index % 5 === 4) return { vatCode: null, vatPeriod: null, vatFrom: null, vatTo: null };
  return {
    vatCode: country.vat(digits),
    vatPeriod: rotate(['monthly', 'monthly', 'monthly', 'quarterly', 'semiannual'] as const, index),
    vatFrom: date(created + random.int(0, 25) * DAY),
    vatTo: index % 37 === 1 ? date(START + random.int(30, 300) * DAY) : null,
  };
}

function employmentOf(index: number, created: number, random: Random) {
  if (index % 3 === 2) return { employeesFrom: null, employeesTo: null };
  return {
    employeesFrom: date(created + random.int(0, 300) * DAY),
    employeesTo: index % 31 === 6 ? date(START + random.int(30, 300) * DAY) : null,
  };
}
