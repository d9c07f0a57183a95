type Point = { readonly latitude: number; readonly longitude: number }

const KM_A_DEGREE = 111.2

/** Kilometres between two points, to a few in a hundred: enough to know neighbours. */
export function distance(one: Point, other: Point): number {
  const north = one.latitude - other.latitude
  const degrees = Math.abs(one.longitude - other.longitude)
  const east = Math.min(degrees, 360 - degrees) * Math.cos((one.latitude * Math.PI) / 180)
  return Math.hypot(north, east) * KM_A_DEGREE
}
