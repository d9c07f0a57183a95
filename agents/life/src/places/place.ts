/** In characters: what is longer is no place's name. */
export const MAX_PLACE_NAME_LENGTH = 100
/** A town that is known far from itself: in people. */
export const LARGE_POPULATION = 100_000

/** A place of birth. `zone` is an IANA time zone, with the clock changes of each year. */
export type Place = {
  /** As its user called it. */
  readonly name: string
  /** Degrees, north positive. */
  readonly latitude: number
  /** Degrees, east positive. */
  readonly longitude: number
  readonly zone: string
  /** ISO 3166-1, two letters. */
  readonly country?: string
}

/** A place that a name may mean; `name` is its own there. */
export type FoundPlace = Place & {
  /** The province or state, where it has a name that people know. */
  readonly admin?: string | undefined
  /** 0 where it is not known. */
  readonly population: number
  /**
   * It bears that very name where the name says that it is. Otherwise it only sounds like it, or a part of the name was
   * not understood.
   */
  readonly certain: boolean
}

/** Places as a user looks them up. */
export interface Places {
  /**
   * By its name in Chinese or English, the likeliest first; none where it is not known. Provinces, states and countries
   * in the name narrow it: `四川成都`, `Paris, TX`. Also by `48.85,2.35`, degrees north and east. @throws ServiceError
   * `unavailable` where too many ask at a time
   */
  find(name: string): Promise<readonly FoundPlace[]>
}

export interface WorldPlaces {
  /** Users take turns. */
  forUser(userId: string): Places
}
