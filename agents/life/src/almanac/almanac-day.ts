import type { Branch, StemBranch } from '../chart/chart.ts'

/** How many days are looked through at a time, at most. */
export const MAX_SEARCH_DAYS = 180

/** 黄历: what tradition says of one day. A function of the date alone; terms are those of Beijing's clock. */
export type AlmanacDay = {
  /** `2026-01-21`. */
  readonly date: string
  /** 乙巳年腊月初三. */
  readonly lunar: string
  readonly lunarDate: { readonly month: number; readonly leap: boolean; readonly day: number }
  readonly pillars: { readonly year: StemBranch; readonly month: StemBranch; readonly day: StemBranch }
  /** 宜, 忌: activities, by their Chinese names. */
  readonly good: readonly string[]
  readonly avoid: readonly string[]
  /** The term in which the day lies, and the next with its instant in ISO 8601 and its day. */
  readonly term: { readonly name: string; readonly startsToday: boolean }
  readonly nextTerm: { readonly name: string; readonly at: string; readonly date: string }
  /** 冲: the animal, its branch, and the direction of 煞. */
  readonly clash: { readonly animal: string; readonly branch: Branch; readonly direction: string }
  readonly wealthDirection: string
  /** 建除十二值, 二十八宿. */
  readonly duty: string
  readonly mansion: string
  /** 黄道: whether the one of twelve gods that rules the day is of the bright road. */
  readonly bright: boolean
  readonly festivals: readonly string[]
}
