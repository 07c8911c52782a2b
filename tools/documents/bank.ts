import { parties, type Party } from './parties';

/** A line of an account. */
export interface Movement {
  /** `YYYY-MM-DD` */
  date: string;
  other: string;
  text: string;
  /** Euro cents; money that leaves is negative. */
  amount: number;
}

/** A statement of an account. Amounts are cents. */
export interface Statement {
  bank: string;
  holder: Party;
  from: string;
  to: string;
  /** Euro cents before the first movement. */
  opening: number;
  movements: Movement[];
}

const move = (date: string, other: string, text: string, amount: number): Movement => ({
  date: `2026-10-${date}`,
  other,
  text,
  amount,
});

/** A month of a bakery's account. */
export const statement: Statement = {
  bank: 'Näidispank AS',
  holder: parties.bakery,
  from: '2026-10-01',
  to: '2026-10-31',
  opening: 1_284_017,
  movements: [
    move('01', 'Kaardimaksed', 'Müük poes 30.09', 84_320),
    move('02', 'Veski ja Pojad OÜ', 'Arve 5521, rukkijahu', -118_440),
    move('05', 'Kaardimaksed', 'Müük poes 02.–04.10', 241_905),
    move('06', 'Kohvik "Kell Viis" OÜ', 'Arve 2026-0871', 63_240),
    move('08', 'Elektrimüük Näide AS', 'Elekter, september', -74_118),
    move('09', 'Töötasud', 'September 2026, 7 töötajat', -892_650),
    move('10', 'Riigi maksukonto', 'Tööjõumaksud, september', -514_377),
    move('12', 'Kaardimaksed', 'Müük poes 09.–11.10', 259_480),
    move('14', 'Männiku Puidutööd OÜ', 'Ettemaks, müügilett', -60_000),
    move('16', 'Ärihotell Žanett OÜ', 'Arve 2026-0880, hommikuleivad', 187_260),
    move('19', 'Kaardimaksed', 'Müük poes 16.–18.10', 248_115),
    move('20', 'Riigi maksukonto', 'Käibemaks, september', -231_904),
    move('21', 'Ziemelu Makonis SIA', 'INV-20366', -25_300),
    move('23', 'Üürimaja Lõuna OÜ', 'Üür, oktoober', -165_000),
    move('26', 'Kaardimaksed', 'Müük poes 23.–25.10', 266_070),
    move('28', 'Kool nr 7', 'Arve 2026-0902, pirukad', 41_850),
    move('30', 'Näidispank AS', 'Konto hooldustasu', -590),
  ],
};

/** The balance after each movement, in euro cents. */
export function balances({ opening, movements }: Statement): number[] {
  let balance = opening;
  return movements.map((movement) => (balance += movement.amount));
}

/** The statement as comma-separated text with a byte order mark, as banks export it. */
export function statementCsv(source: Statement): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = source.movements.map(({ date, other, text, amount }) =>
    [date, quote(other), quote(text), (amount / 100).toFixed(2), 'EUR'].join(','),
  );
  return `\ufeff${['date,counterparty,description,amount,currency', ...rows].join('\r\n')}\r\n`;
}
