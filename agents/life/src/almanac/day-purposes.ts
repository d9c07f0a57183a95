import { activityInEnglish, activityNames, isVerdict } from './activities.ts'
import type { Phrase } from '../language.ts'

/**
 * What somebody may want a day for, in words of today, and which of the almanac's activities that is: the first is the
 * nearest.
 */
export type DayPurpose = { readonly label: Phrase; readonly names: readonly string[] }

type DayPurposeRule = DayPurpose & { readonly terms: string }

/** Where words hold those of several, the first of them is meant: to register a marriage is more than to marry. */
const dayPurposes: readonly DayPurposeRule[] = [
  {
    label: { zh: '领证', en: 'registering a marriage' },
    names: ['嫁娶', '纳采', '订盟'],
    terms: '领证, 结婚证, 登记结婚, 结婚登记, marriage registration, registering, register our marriage',
  },
  {
    label: { zh: '订婚', en: 'getting engaged' },
    names: ['订盟', '纳采', '问名'],
    terms: '订婚, 定亲, 求婚, 提亲, 下聘, 彩礼, engage, engagement, engaged, propose',
  },
  {
    label: { zh: '结婚', en: 'a wedding' },
    names: ['嫁娶'],
    terms: '结婚, 婚礼, 婚纱, 婚期, 办酒, 嫁, 娶, wedding, marry, married, marriage',
  },
  {
    label: { zh: '开业', en: 'opening a business' },
    names: ['开市', '挂匾'],
    terms:
      '开业, 开店, 开张, 开公司, 创业, 上线, open, opening, launch, shop, start a business, starting a business, new business',
  },
  {
    label: { zh: '签约', en: 'signing a contract' },
    names: ['立券', '交易'],
    terms: '签约, 签合同, 合同, 签字, 成交, 合作, sign, signing, contract, deal, agreement',
  },
  {
    label: { zh: '买房置业', en: 'buying a home' },
    names: ['置产', '立券', '交易'],
    terms:
      '买房, 购房, 置业, 买地, buy a house, buying a house, buy a home, buying a home, buy a flat, buying a flat, buy an apartment, buying an apartment, property',
  },
  {
    label: { zh: '装修', en: 'renovation' },
    names: ['修造', '动土'],
    terms: '装修, 翻新, 修房, 开工, 动工, renovate, renovating, renovation, remodel, repairs',
  },
  {
    label: { zh: '盖房', en: 'building' },
    names: ['起基', '动土', '竖柱', '上梁'],
    terms: '盖房, 建房, 打地基, 奠基, 上大梁, build, building, construction, groundbreaking',
  },
  {
    label: { zh: '安床', en: 'setting up a bed' },
    names: ['安床'],
    terms: '安床, 换床, 婚床, bed',
  },
  {
    label: { zh: '搬家', en: 'moving house' },
    names: ['移徙', '入宅'],
    terms: '搬家, 搬迁, 迁居, 乔迁, 入住, 新居, 搬, move, moving, housewarming, relocate',
  },
  {
    label: { zh: '入职', en: 'starting a job' },
    names: ['赴任', '会亲友'],
    terms:
      '入职, 上任, 第一天上班, 上班第一天, 新工作, 到岗, new job, first day of work, start work, starting work, start a job, starting a job, onboarding',
  },
  {
    label: { zh: '入学', en: 'starting school' },
    names: ['入学', '习艺'],
    terms: '上学, 入学, 开学, 报到, 拜师, 学习, school, enrol, enroll, study, course, class',
  },
  {
    label: { zh: '出行', en: 'travel' },
    names: ['出行'],
    terms:
      '出行, 旅行, 旅游, 出差, 出门, 远行, 自驾, travel, travelling, traveling, trip, journey, vacation, holiday',
  },
  {
    label: { zh: '理发', en: 'a haircut' },
    names: ['理发', '整手足甲'],
    terms: '理发, 剪发, 剪头, 剪头发, 染发, 烫发, 美甲, haircut, hair, barber, nails',
  },
  {
    label: { zh: '聚会', en: 'meeting friends and family' },
    names: ['会亲友'],
    terms: '聚会, 聚餐, 请客, 见朋友, 见家长, 相亲, 约会, party, gathering, reunion, meet, meeting, dinner',
  },
  {
    label: { zh: '打扫', en: 'cleaning' },
    names: ['扫舍', '解除'],
    terms: '打扫, 大扫除, 扫除, 断舍离, 收拾, clean, cleaning, declutter, decluttering, tidy',
  },
  {
    label: { zh: '种植', en: 'planting' },
    names: ['栽种'],
    terms:
      '种植, 种树, 种花, 种菜, 种草, 种地, 种田, 种点, 种些, 栽, 播种, plant, planting, garden, gardening, sow',
  },
  {
    label: { zh: '养宠物', en: 'bringing home a pet' },
    names: ['纳畜', '牧养'],
    terms: '宠物, 养猫, 养狗, 接猫, 接狗, pet, puppy, dog, cat, kitten',
  },
  {
    label: { zh: '招人', en: 'hiring' },
    names: ['雇佣', '进人口'],
    terms: '招聘, 招人, 雇人, 请保姆, hire, hiring, recruit, employ',
  },
  {
    label: { zh: '祭祀祈福', en: 'worship and blessings' },
    names: ['祭祀', '祈福'],
    terms: '祭祖, 祭拜, 拜神, 烧香, 上香, 许愿, 祈祷, worship, pray, prayer, blessing, ancestors',
  },
  {
    label: { zh: '提车', en: 'fetching a car' },
    names: ['交易', '纳财', '出行'],
    terms: '买车, 提车, 新车, car, vehicle',
  },
]

/**
 * Which of the almanac's activities somebody's words mean: words of today first, then the almanac's own. None where we
 * know none.
 */
export function dayPurposeOf(words: string): DayPurpose | undefined {
  const text = words.normalize('NFKC').toLowerCase().trim()
  const purpose = dayPurposes.find((one) => one.terms.split(', ').some((word) => holds(text, word)))
  if (purpose) return { label: purpose.label, names: purpose.names }
  const own = activityNames.filter(
    (name) => !isVerdict(name) && (text.includes(name) || text === activityInEnglish(name)),
  )
  if (own.length === 0) return undefined
  return { label: { zh: own.join('、'), en: own.map(activityInEnglish).join(', ') }, names: own }
}

/** For a reader who asked for something that the almanac has no day for. */
export const dayPurposeLabels: readonly Phrase[] = dayPurposes.map(({ label }) => label)

/** Chinese has no gaps between words; in English `cat` is no part of `education`. */
function holds(text: string, word: string): boolean {
  return /^[a-z]/.test(word) ? new RegExp(`\\b${word}\\b`).test(text) : text.includes(word)
}
