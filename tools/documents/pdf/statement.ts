import { rgb } from 'pdf-lib';
import { balances, type Statement } from '../bank';
import { amount, day } from '../words';
import { fontsOf, GREY, MARGIN, newPdf, newSheet } from './sheet';

const BANK_BLUE = rgb(0.02, 0.25, 0.38);

/** A bank account's month as a one-page PDF. */
export async function statementPdf(source: Statement): Promise<Uint8Array> {
  const { bank, holder, from, to, opening, movements } = source;
  const pdf = await newPdf(`Konto väljavõte ${from} – ${to}`, bank, to);
  const sheet = newSheet(pdf, await fontsOf(pdf));
  const end = sheet.width - MARGIN;

  sheet.left(bank, MARGIN, 60, { size: 18, bold: true, color: BANK_BLUE });
  sheet.right('Konto väljavõte', end, 60, { size: 14 });
  sheet.left(holder.name, MARGIN, 96, { size: 11, bold: true });
  sheet.left(`Konto ${holder.iban}`, MARGIN, 112);
  sheet.right(`${day(from)} – ${day(to)}`, end, 96, { bold: true });
  sheet.right('Summad eurodes', end, 112, { color: GREY });

  const head = { size: 9, bold: true, color: GREY };
  sheet.left('Kuupäev', MARGIN, 150, head);
  sheet.left('Saaja / maksja', 115, 150, head);
  sheet.left('Selgitus', 265, 150, head);
  sheet.right('Summa', 478, 150, head);
  sheet.right('Saldo', end, 150, head);
  sheet.line(158, GREY);

  sheet.left('Algsaldo', 115, 176, { size: 9, bold: true });
  sheet.right(amount(opening), end, 176, { size: 9, bold: true });
  const after = balances(source);
  movements.forEach((movement, index) => {
    const y = 198 + index * 22;
    const look = { size: 9 };
    sheet.line(y - 14);
    sheet.left(day(movement.date), MARGIN, y, look);
    sheet.left(movement.other, 115, y, look);
    sheet.left(movement.text, 265, y, look);
    sheet.right(amount(movement.amount), 478, y, { ...look, bold: movement.amount > 0 });
    sheet.right(amount(after[index] ?? opening), end, y, look);
  });
  const y = 206 + movements.length * 22;
  sheet.line(y - 18, GREY);
  sheet.left('Lõppsaldo', 115, y, { bold: true });
  sheet.right(amount(after.at(-1) ?? opening), end, y, { bold: true });
  return await pdf.save();
}
