import { normalForm } from 'dragoman/events'
/** Questions about when a person dies or how long a person lives. No chart answers them. */
const QUESTIONS: readonly RegExp[] = [
  new RegExp(
    '(?:会不?会?|會不?會?|要|快|就)(?:死|去世|离世|離世|短命|早死)(?![机機党黨板心磕])' +
      '[^，。！？]{0,3}(?:吗|嗎|么|呢|[?？]|$)',
    'u',
  ),
  new RegExp(
    '(?:什么时候|什麼時候|几时|幾時|啥时候|何时|何時|哪年|哪一年|哪天|多少岁|多少歲|几岁|幾歲)' +
      '[^，。！？]{0,4}(?:死(?![机機])|去世|离世|離世|走人)',
    'u',
  ),
  /能?活(?:到|多)(?:多少|几|幾|大|久|长|長)|(?<![池机機灯燈品车車猫貓狗][的]?)(?:寿命|壽命)/u,
  /阳寿|陽壽|寿数|壽數|寿元|壽元|死期|死劫|大限(?:将至|何时|是)/u,
  /\bwhen (?:will|am|do|does|is) .{1,20}\b(?:die|dying)\b/iu,
  /\bwill i (?:die|live)\b(?! (?:in|with|at|near|alone) )|\bam i going to die\b/iu,
  /\bhow long (?:will|do|does|have) (?:i|he|she|we|my \w+)\b.{0,20}\bliv/iu,
  /\b(?:how old|what age) .{0,20}\bdie\b/iu,
  /\bmy (?:life ?span|death date|date of death)\b|\blife expectancy\b/iu,
]

export function asksForDeathReading(words: string): boolean {
  const text = normalForm(words, 'NFKC').trim()
  return QUESTIONS.some((pattern) => pattern.test(text))
}
