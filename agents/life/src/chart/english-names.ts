import { branches, stems } from './chart.ts'

const stemSounds = ['Jia', 'Yi', 'Bing', 'Ding', 'Wu', 'Ji', 'Geng', 'Xin', 'Ren', 'Gui'] as const
const branchSounds = [
  'Zi',
  'Chou',
  'Yin',
  'Mao',
  'Chen',
  'Si',
  'Wu',
  'Wei',
  'Shen',
  'You',
  'Xu',
  'Hai',
] as const
const stemElements = ['wood', 'fire', 'earth', 'metal', 'water'] as const
const animals = [
  'rat',
  'ox',
  'tiger',
  'rabbit',
  'dragon',
  'snake',
  'horse',
  'goat',
  'monkey',
  'rooster',
  'dog',
  'pig',
] as const

/** What each name is in English: `中文 English` a line. */
const table = `
木 wood
火 fire
土 earth
金 metal
水 water
阳 yang
阴 yin
日主 Day Master
比肩 Friend
劫财 Rob Wealth
食神 Eating God
伤官 Hurting Officer
偏财 Indirect Wealth
正财 Direct Wealth
七杀 Seven Killings
正官 Direct Officer
偏印 Indirect Resource
正印 Direct Resource
长生 Birth
沐浴 Bath
冠带 Coming of Age
临官 Taking Office
帝旺 Prime
衰 Decline
病 Weariness
死 Stillness
墓 Storage
绝 End
胎 Conception
养 Nurture
海中金 Gold in the Sea
炉中火 Fire in the Furnace
大林木 Wood of the Great Forest
路旁土 Earth by the Road
剑锋金 Metal of the Sword's Edge
山头火 Fire on the Mountain Top
涧下水 Water in the Ravine
城头土 Earth of the City Wall
白蜡金 White Wax Metal
杨柳木 Willow Wood
泉中水 Spring Water
屋上土 Earth on the Roof
霹雳火 Thunderbolt Fire
松柏木 Pine and Cypress Wood
长流水 Long Flowing Water
沙中金 Gold in the Sand
山下火 Fire at the Foot of the Mountain
平地木 Wood of the Plain
壁上土 Earth on the Wall
金箔金 Gold Leaf
覆灯火 Lamp Fire
天河水 Water of the Milky Way
大驿土 Earth of the Post Road
钗钏金 Hairpin Gold
桑柘木 Mulberry Wood
大溪水 Water of the Great Stream
沙中土 Earth in the Sand
天上火 Fire in the Sky
石榴木 Pomegranate Wood
大海水 Water of the Great Sea
冬至 Winter Solstice
小寒 Minor Cold
大寒 Major Cold
立春 Start of Spring
雨水 Rain Water
惊蛰 Awakening of Insects
春分 Spring Equinox
清明 Pure Brightness
谷雨 Grain Rain
立夏 Start of Summer
小满 Grain Buds
芒种 Grain in Ear
夏至 Summer Solstice
小暑 Minor Heat
大暑 Major Heat
立秋 Start of Autumn
处暑 End of Heat
白露 White Dew
秋分 Autumn Equinox
寒露 Cold Dew
霜降 Frost's Descent
立冬 Start of Winter
小雪 Minor Snow
大雪 Major Snow
天干五合 stem union
天干相冲 stem clash
地支六合 branch union
三合 three-branch union
半合 half union
三会 seasonal union
六冲 clash
六害 harm
相刑 friction
自刑 self-friction
相破 break
天乙贵人 Noble Helper
文昌 Star of Letters
禄神 Star of Livelihood
羊刃 Goat Blade
驿马 Travelling Horse
桃花 Peach Blossom
华盖 Canopy of the Arts
将星 General's Star
红鸾 Red Phoenix
天喜 Heavenly Joy
天德贵人 Helper of Heaven's Virtue
月德贵人 Helper of the Month's Virtue
旺 prosperous
相 rising
休 resting
囚 confined
年柱 year pillar
月柱 month pillar
日柱 day pillar
时柱 hour pillar
大运 luck cycle
流年 year pillar of that year
胎元 conception palace
胎息 conception breath
命宫 life palace
身宫 body palace
`

const englishNames: ReadonlyMap<string, string> = new Map([
  ...table
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const gap = line.indexOf(' ')
      return [line.slice(0, gap), line.slice(gap + 1)]
    }),
  ...stems.map((stem, index): [string, string] => [
    stem,
    `${stemSounds[index]} (${index % 2 === 0 ? 'yang' : 'yin'} ${stemElements[Math.floor(index / 2)]})`,
  ]),
  ...branches.map((branch, index): [string, string] => [
    branch,
    `${branchSounds[index]} (${animals[index]})`,
  ]),
  ...'鼠牛虎兔龙蛇马羊猴鸡狗猪'
    .split('')
    .map((animal, index): [string, string] => [animal, animals[index] ?? '']),
])

/**
 * What a name of a chart is in English: a stem "Jia (yang wood)", a branch "Zi (rat)", a pillar "Jia-Zi", a ten god, a
 * phase, a sound, a term, a relation, a star. One that it does not know it gives back. 死 is the phase; of an element
 * out of season say `inSeason`.
 */
export function inEnglish(name: string): string {
  return englishNames.get(name) ?? pillarInEnglish(name) ?? name
}

/** 旺相休囚死 in English. */
export function inSeason(state: string): string {
  return state === '死' ? 'dormant' : inEnglish(state)
}

function pillarInEnglish(name: string): string | undefined {
  const [stem = '', branch = '', ...more] = name
  const first = stemSounds[stems.findIndex((one) => one === stem)]
  const second = branchSounds[branches.findIndex((one) => one === branch)]
  return first && second && more.length === 0 ? `${first}-${second}` : undefined
}

/** The pillar of that English name, however it is written: `Jia-Zi`, `jiazi`, `Jia Zi`; none where it is no pillar. */
export function pillarFromEnglish(english: string): string | undefined {
  const sounds = english.toLowerCase().replaceAll(/[^a-z]/g, '')
  for (const [index, stem] of stems.entries()) {
    const sound = (stemSounds[index] ?? '').toLowerCase()
    const at = sounds.startsWith(sound)
      ? branchSounds.findIndex((branch) => sound + branch.toLowerCase() === sounds)
      : -1
    if (at >= 0) return `${stem}${branches[at]}`
  }
  return undefined
}
