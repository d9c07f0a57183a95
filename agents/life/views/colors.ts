/** Wood, fire, earth, metal, water, readable on light and on dark. */
export const colors: Readonly<Record<string, string>> = {
  木: 'light-dark(#2c7a45, #67c286)',
  火: 'light-dark(#c23f2a, #f08a76)',
  土: 'light-dark(#8c6116, #d8a95a)',
  金: 'light-dark(#77691a, #cfc06a)',
  水: 'light-dark(#2a68ad, #7db4f0)',
}
