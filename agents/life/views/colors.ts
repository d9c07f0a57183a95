/** Wood, fire, earth, metal, water, readable on light and on dark. */
export const colors: Readonly<Record<string, string>> = {
  木: 'light-dark(#2c7a45, #67c286)',
  火: 'light-dark(#c23f2a, #f08a76)',
  土: 'light-dark(#8c6116, #d8a95a)',
  金: 'light-dark(#77691a, #cfc06a)',
  水: 'light-dark(#2a68ad, #7db4f0)',
}

const ELEMENTS: Readonly<Record<string, string>> = {
  木: '甲乙寅卯',
  火: '丙丁巳午',
  土: '戊己辰戌丑未',
  金: '庚辛申酉',
  水: '壬癸子亥',
}

/** The element of a stem or a branch. */
export function elementOf(sign: string): string {
  return Object.keys(ELEMENTS).find((element) => ELEMENTS[element]?.includes(sign)) ?? ''
}
