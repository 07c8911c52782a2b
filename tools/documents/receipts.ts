import type { Receipt } from './png/receipt';

/** The receipts that the documents are made from. */
export const receipts = {
  cafe: {
    shop: 'KOHVIK KELL VIIS',
    address: 'RAEKOJA PLATS 3, TARTU',
    registrationCode: '26110934',
    number: '004417',
    time: '05.11.2026 13:42',
    goods: [
      ['2 X PÄEVAPRAAD', 1780],
      ['ÕUNAKOOK', 450],
      ['2 X FILTERKOHV', 600],
      ['VEESI VALGE 0,5L', 220],
    ],
    vat: 24,
    paid: 'KAART ****4821',
    greeting: 'TÄNAME, TULGE JÄLLE.',
  },
  fuel: {
    shop: 'TANKLA PÕHJATÄHT',
    address: 'NARVA MNT 88, RAKVERE',
    registrationCode: '27780216',
    number: '881203',
    time: '06.11.2026 07:15',
    goods: [
      ['DIISEL 54,20 L X 1,489', 8070],
      ['KLAASIPESUVEDELIK 4L', 690],
    ],
    vat: 24,
    paid: 'KÜTUSEKAART',
    greeting: 'HEAD TEED.',
  },
  office: {
    shop: 'ŽURNAAL & ŠVAMM',
    address: 'KESKVÄLJAK 1, PAIDE',
    registrationCode: '23347751',
    number: '00981',
    time: '03.11.2026 16:08',
    goods: [
      ['PABER A4 500 L', 649],
      ['PLIIATS HB (12)', 480],
      ['KLADE "ÜLO"', 395],
      ['PATAREI AA 4 TK', 720],
      ['MAPP 70 MM', 310],
    ],
    vat: 24,
    paid: 'SULARAHA',
    greeting: 'KAUP VAHETADA 14 PÄEVA JOOKSUL.',
  },
} satisfies Record<string, Receipt>;
