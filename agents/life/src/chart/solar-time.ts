const DAY = 86_400_000

/**
 * Minutes by which the true sun is ahead of the mean one on a day: 9.87 sin 2B − 7.53 cos B − 1.5 sin B with B =
 * 360°/364 × (n − 81), n the day of the year (Duffie and Beckman, Solar Engineering of Thermal Processes). Right to
 * about half a minute.
 */
function equationOfTime(instant: number): number {
  const yearStart = Date.UTC(new Date(instant).getUTCFullYear(), 0, 1)
  const day = Math.floor((instant - yearStart) / DAY) + 1
  const b = ((2 * Math.PI) / 364) * (day - 81)
  return 9.87 * Math.sin(2 * b) - 7.53 * Math.cos(b) - 1.5 * Math.sin(b)
}

/**
 * Minutes that the sun over a longitude is ahead of a clock that is `offset` minutes ahead of UTC: four a degree from
 * the clock's meridian, and the equation of time. Samoa's clock is a day ahead of the sun by that, because its people
 * count their days from the other side of the date line: the day is theirs, and only what is left is the sun's.
 */
export function solarCorrection(longitude: number, offset: number, instant: number): number {
  const east = 4 * longitude - offset
  return east - 1440 * Math.round(east / 1440) + equationOfTime(instant)
}
