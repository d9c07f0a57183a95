import type { Phrase } from '../language.ts'

/** A question about when somebody dies, or how long they live: no chart answers it. */
const ASKS =
  /(?:会不?会?|會不?會?|要|快|就)(?:死|去世|离世|離世|短命|早死)(?![机機党黨板心磕])[^，。！？]{0,3}(?:吗|嗎|么|呢|[?？]|$)|(?:什么时候|什麼時候|几时|幾時|啥时候|何时|何時|哪年|哪一年|哪天|多少岁|多少歲|几岁|幾歲)[^，。！？]{0,4}(?:死(?![机機])|去世|离世|離世|走人)|能?活(?:到|多)(?:多少|几|幾|大|久|长|長)|(?<![池机機灯燈品车車猫貓狗][的]?)(?:寿命|壽命)|阳寿|陽壽|寿数|壽數|寿元|壽元|死期|死劫|大限(?:将至|何时|是)|\bwhen (?:will|am|do|does|is) .{1,20}\b(?:die|dying)\b|\bwill i (?:die|live)\b(?! (?:in|with|at|near|alone) )|\bam i going to die\b|\bhow long (?:will|do|does|have) (?:i|he|she|we|my \w+)\b.{0,20}\bliv|\b(?:how old|what age) .{0,20}\bdie\b|\bmy (?:life ?span|death date|date of death)\b|\blife expectancy\b/iu

export function asksForDeathReading(words: string): boolean {
  return ASKS.test(words.normalize('NFKC').trim())
}

export const noDeathReading: Phrase = {
  zh: '没有哪张命盘能看出一个人什么时候离开、能活多久，我也不会去猜。要是担心身体，请去问问医生；要是这个念头总在心里绕，愿意的话跟我说说，是什么让你想到这个？',
  en: 'No chart tells when anybody dies or how long they live, and I will not guess. If it is your body that worries you, a doctor can help. If the thought does not let you go, tell me, if you like: what brought it up?',
}
