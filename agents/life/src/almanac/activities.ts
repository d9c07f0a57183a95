/** What the almanac speaks of, by kinds: the names are those of tyme4ts, the English words are ours. */
const rites = {
  祭祀: 'worship',
  祈福: 'praying for blessings',
  求嗣: 'praying for children',
  开光: 'consecrating a statue',
  塑绘: 'sacred images',
  齐醮: 'temple rites',
  斋醮: 'temple rites with fasting',
  沐浴: 'ritual bathing',
  酬神: 'thanksgiving',
  造庙: 'building a shrine',
  祀灶: 'honouring the stove god',
  焚香: 'burning incense',
  谢土: 'thanking the earth',
  出火: 'moving the altar',
  雕刻: 'carving',
  普渡: 'prayers for all souls',
  安香: 'setting up an altar',
  归岫: 'withdrawing to rest',
} as const

const people = {
  嫁娶: 'weddings',
  订婚: 'engagement',
  纳采: 'betrothal gifts',
  问名: 'asking for a hand',
  纳婿: 'welcoming a son-in-law',
  归宁: 'visiting the bride’s parents',
  安床: 'setting up a bed',
  合帐: 'making bed curtains',
  冠笄: 'coming of age',
  订盟: 'pledges',
  进人口: 'welcoming someone new',
  裁衣: 'making clothes',
  挽面: 'facial care',
  开容: 'bridal grooming',
  习艺: 'learning a craft',
  入学: 'starting school',
  理发: 'haircuts',
  剃头: 'a baby’s first haircut',
  整手足甲: 'trimming nails',
  见贵: 'meeting a mentor',
  会亲友: 'meeting family and friends',
  会友: 'meeting friends',
  赴任: 'taking up a post',
  出行: 'travel',
  移徙: 'moving house',
  分居: 'setting up separate homes',
  入宅: 'moving in',
  扫舍: 'cleaning the house',
  乘船: 'boat trips',
  渡水: 'crossing water',
  词讼: 'lawsuits',
} as const

const trade = {
  开市: 'opening a business',
  挂匾: 'putting up a sign',
  纳财: 'taking in money',
  求财: 'seeking income',
  开仓: 'opening the storehouse',
  买车: 'buying a car',
  置产: 'buying property',
  雇佣: 'hiring',
  出货财: 'paying out',
  安机械: 'installing machines',
  安机: 'installing a machine',
  造车器: 'making vehicles',
  经络: 'weaving',
  酝酿: 'brewing',
  作染: 'dyeing',
  鼓铸: 'casting metal',
  造船: 'building boats',
  交易: 'trade',
  立券: 'signing contracts',
} as const

const building = {
  安门: 'setting a door',
  修造: 'repairs and renovation',
  起基: 'laying foundations',
  动土: 'breaking ground',
  起基动土: 'breaking ground for foundations',
  上梁: 'raising the ridge beam',
  竖柱: 'raising pillars',
  开井开池: 'digging wells and ponds',
  作陂放水: 'damming water',
  拆卸: 'taking down structures',
  破屋: 'demolishing a house',
  坏垣: 'taking down walls',
  破屋坏垣: 'demolition',
  补垣: 'mending walls',
  伐木做梁: 'cutting timber for beams',
  作灶: 'building a stove',
  解除: 'clearing out the old',
  开柱眼: 'notching pillars',
  穿屏扇架: 'fitting frames',
  盖屋合脊: 'finishing a roof',
  盖屋: 'roofing',
  合脊: 'closing the roof ridge',
  开厕: 'opening a privy',
  作厕: 'building a privy',
  造仓: 'building a barn',
  造仓库: 'building a storehouse',
  塞穴: 'filling holes',
  平治道涂: 'mending paths',
  造桥: 'building bridges',
  筑堤: 'building dykes',
  开池: 'digging a pond',
  伐木: 'felling trees',
  开渠: 'digging channels',
  掘井: 'digging a well',
  放水: 'releasing water',
  造屋: 'building a house',
  造畜稠: 'building pens',
  修门: 'mending a door',
  定磉: 'setting column bases',
  作梁: 'making beams',
  修饰垣墙: 'painting walls',
  架马: 'setting up trestles',
  断蚁: 'clearing termites',
  安碓磑: 'setting up a mill',
} as const

const farming = {
  割蜜: 'gathering honey',
  栽种: 'planting',
  取渔: 'fishing',
  结网: 'making nets',
  牧养: 'keeping livestock',
  纳畜: 'buying animals',
  捕捉: 'pest control',
  畋猎: 'hunting',
  教牛马: 'training animals',
} as const

const health = {
  针灸: 'acupuncture',
  探病: 'visiting the sick',
  求医: 'seeing a doctor',
  治病: 'treating illness',
  求医疗病: 'medical treatment',
} as const

const mourning = {
  修坟: 'tending graves',
  启钻: 'moving remains',
  破土: 'opening a grave',
  安葬: 'burial',
  立碑: 'raising a tombstone',
  成服: 'putting on mourning',
  除服: 'ending mourning',
  开生坟: 'preparing a grave',
  合寿木: 'making a coffin',
  入殓: 'laying out the dead',
  移柩: 'moving a coffin',
  行丧: 'funerals',
} as const

/** Of the day as a whole, and no activity. */
const verdicts = {
  诸事不宜: 'a day to keep things simple',
  馀事勿取: 'little else',
} as const

const all: Readonly<Record<string, string>> = {
  ...rites,
  ...people,
  ...trade,
  ...building,
  ...farming,
  ...health,
  ...mourning,
  ...verdicts,
}

export const activityNames: readonly string[] = Object.keys(all)

/** Nothing is undertaken on a day that says so, whatever else it has. */
export const NOTHING_SUITS = '诸事不宜'

/** The name itself, should the almanac ever have one that we do not know. */
export function activityInEnglish(name: string): string {
  return all[name] ?? name
}

/** Whether it speaks of the day as a whole, and names nothing to do. */
export function isVerdict(name: string): boolean {
  return name in verdicts
}

/** Whether it belongs in a greeting: neither graves nor sickness, nor what almost nobody does today. */
export function isEveryday(name: string): boolean {
  return ((name in people || name in trade) && !OUTDATED.has(name)) || EVERYDAY.has(name)
}

/**
 * Customs and crafts that are gone, or whose names mean something else by now: 分居 is to part, 经络 are the body's
 * meridians.
 */
const OUTDATED: ReadonlySet<string> = new Set(
  '冠笄 合帐 挽面 开容 问名 纳婿 分居 进人口 渡水 开仓 经络 酝酿 作染 鼓铸 造船 造车器'.split(' '),
)

const EVERYDAY: ReadonlySet<string> = new Set([
  '祭祀',
  '祈福',
  '酬神',
  '修造',
  '动土',
  '拆卸',
  '解除',
  '安门',
  '修门',
  '修饰垣墙',
  '平治道涂',
  '栽种',
  '牧养',
  '取渔',
])
