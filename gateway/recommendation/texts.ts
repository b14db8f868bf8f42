/** What recommendations say, by language. */
export interface Texts {
  readonly Buy: string;
  readonly Hold: string;
  readonly Sell: string;
  /** Not enough was traded to say anything. */
  readonly tooFew: string;
  readonly Support: string;
  readonly Resistance: string;
  readonly LowerBand: string;
  readonly UpperBand: string;
  readonly disclaimer: string;
}

const en: Texts = {
  Buy: 'More indicators point up than down.',
  Hold: 'The indicators do not agree on a direction.',
  Sell: 'More indicators point down than up.',
  tooFew: 'Too little has been traded to say anything.',
  Support: 'Below the lowest price of the last 24 candles.',
  Resistance: 'Above the highest price of the last 24 candles.',
  LowerBand: 'Below the lower Bollinger band.',
  UpperBand: 'Above the upper Bollinger band.',
  disclaimer: 'Computed from past trades by fixed rules. No advice, and no promise of anything.',
};

const de: Texts = {
  Buy: 'Mehr Indikatoren zeigen nach oben als nach unten.',
  Hold: 'Die Indikatoren sind sich \u00fcber keine Richtung einig.',
  Sell: 'Mehr Indikatoren zeigen nach unten als nach oben.',
  tooFew: 'Es wurde zu wenig gehandelt, um etwas zu sagen.',
  Support: 'Unter dem tiefsten Kurs der letzten 24 Kerzen.',
  Resistance: '\u00dcber dem h\u00f6chsten Kurs der letzten 24 Kerzen.',
  LowerBand: 'Unter dem unteren Bollinger-Band.',
  UpperBand: '\u00dcber dem oberen Bollinger-Band.',
  disclaimer:
    'Nach festen Regeln aus vergangenen Gesch\u00e4ften berechnet. Keine Beratung, kein Versprechen.',
};

const es: Texts = {
  Buy: 'M\u00e1s indicadores apuntan al alza que a la baja.',
  Hold: 'Los indicadores no coinciden en una direcci\u00f3n.',
  Sell: 'M\u00e1s indicadores apuntan a la baja que al alza.',
  tooFew: 'Se ha negociado demasiado poco para decir algo.',
  Support: 'Por debajo del precio m\u00ednimo de las \u00faltimas 24 velas.',
  Resistance: 'Por encima del precio m\u00e1ximo de las \u00faltimas 24 velas.',
  LowerBand: 'Por debajo de la banda inferior de Bollinger.',
  UpperBand: 'Por encima de la banda superior de Bollinger.',
  disclaimer:
    'Calculado con reglas fijas a partir de operaciones pasadas. No es asesoramiento ni promesa.',
};

const fr: Texts = {
  Buy: 'Plus d\u2019indicateurs pointent vers le haut que vers le bas.',
  Hold: 'Les indicateurs ne s\u2019accordent sur aucune direction.',
  Sell: 'Plus d\u2019indicateurs pointent vers le bas que vers le haut.',
  tooFew: 'Trop peu d\u2019\u00e9changes pour dire quoi que ce soit.',
  Support: 'Sous le plus bas des 24 derni\u00e8res bougies.',
  Resistance: 'Au-dessus du plus haut des 24 derni\u00e8res bougies.',
  LowerBand: 'Sous la bande de Bollinger inf\u00e9rieure.',
  UpperBand: 'Au-dessus de la bande de Bollinger sup\u00e9rieure.',
  disclaimer:
    'Calcul\u00e9 par des r\u00e8gles fixes \u00e0 partir d\u2019\u00e9changes pass\u00e9s. Ni conseil ni promesse.',
};

const it: Texts = {
  Buy: 'Pi\u00f9 indicatori puntano verso l\u2019alto che verso il basso.',
  Hold: 'Gli indicatori non concordano su una direzione.',
  Sell: 'Pi\u00f9 indicatori puntano verso il basso che verso l\u2019alto.',
  tooFew: 'Gli scambi sono troppo pochi per dire qualcosa.',
  Support: 'Sotto il minimo delle ultime 24 candele.',
  Resistance: 'Sopra il massimo delle ultime 24 candele.',
  LowerBand: 'Sotto la banda di Bollinger inferiore.',
  UpperBand: 'Sopra la banda di Bollinger superiore.',
  disclaimer: 'Calcolato con regole fisse da scambi passati. N\u00e9 consulenza n\u00e9 promessa.',
};

const pt: Texts = {
  Buy: 'Mais indicadores apontam para cima do que para baixo.',
  Hold: 'Os indicadores n\u00e3o concordam numa dire\u00e7\u00e3o.',
  Sell: 'Mais indicadores apontam para baixo do que para cima.',
  tooFew: 'Negociou-se muito pouco para dizer alguma coisa.',
  Support: 'Abaixo do pre\u00e7o mais baixo das \u00faltimas 24 velas.',
  Resistance: 'Acima do pre\u00e7o mais alto das \u00faltimas 24 velas.',
  LowerBand: 'Abaixo da banda inferior de Bollinger.',
  UpperBand: 'Acima da banda superior de Bollinger.',
  disclaimer:
    'Calculado por regras fixas a partir de neg\u00f3cios passados. N\u00e3o \u00e9 conselho nem promessa.',
};

const TEXTS = { en, de, es, fr, it, pt } as const;
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];
export type Language = keyof typeof TEXTS;

/** The language that a tag such as `de-AT` names; English where it is none of these. */
export function languageOf(tag: string): Language {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === primary) ?? 'en';
}

export function textsIn(language: Language): Texts {
  return TEXTS[language];
}
