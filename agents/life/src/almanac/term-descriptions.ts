import type { Phrase } from '../language.ts'

/** The 24 solar terms in a line each: what happens in nature then. */
export const termDescriptions: Readonly<Record<string, Phrase>> = {
  立春: {
    zh: '春天从这里起步，万物开始醒来。',
    en: 'Spring takes its first step, and things begin to wake.',
  },
  雨水: { zh: '冰雪化作细雨，草木悄悄发芽。', en: 'Snow turns to soft rain, and the first shoots show.' },
  惊蛰: { zh: '春雷响过，冬眠的小生命醒了。', en: 'The first thunder rolls, and small creatures stir.' },
  春分: {
    zh: '昼夜一样长，春色正好走到一半。',
    en: 'Day and night are equal, and spring is at its middle.',
  },
  清明: {
    zh: '天清地明，宜踏青，也宜想念。',
    en: 'The air is clear: a time for walks, and for remembering.',
  },
  谷雨: { zh: '雨水滋养百谷，是播种的好时节。', en: 'Rain feeds the grain, and it is time to sow.' },
  立夏: { zh: '夏天来了，万物开始使劲长大。', en: 'Summer arrives, and everything grows in earnest.' },
  小满: { zh: '麦粒渐满未满，小满就很好。', en: 'The grain is filling, not yet full, and that is enough.' },
  芒种: {
    zh: '有芒的麦子快收，有芒的稻子快种。',
    en: 'Wheat is cut and rice is planted: the busy season.',
  },
  夏至: {
    zh: '一年里白昼最长的一天前后，阳光最慷慨。',
    en: 'The days are at their longest, and light is generous.',
  },
  小暑: { zh: '暑气渐起，记得慢一点。', en: 'The heat begins to build; a slower pace helps.' },
  大暑: { zh: '一年里最热的时候，也是瓜果最甜的时候。', en: 'The hottest weeks, when fruit is sweetest.' },
  立秋: { zh: '秋天推开了门，早晚有了凉意。', en: 'Autumn opens the door; mornings and evenings cool.' },
  处暑: { zh: '暑气到此收尾，天地开始清爽。', en: 'The heat takes its leave, and the air turns fresh.' },
  白露: { zh: '清晨的草叶上，有了白白的露珠。', en: 'In the morning there is white dew on the grass.' },
  秋分: {
    zh: '昼夜再次平分，收获也到了一半。',
    en: 'Day and night are equal again, midway through harvest.',
  },
  寒露: { zh: '露水带了寒意，菊花开了。', en: 'The dew turns cold, and chrysanthemums bloom.' },
  霜降: { zh: '初霜落下，柿子红了。', en: 'The first frost falls, and persimmons redden.' },
  立冬: {
    zh: '冬天开始了，万物收藏，人也歇歇。',
    en: 'Winter begins: nature stores away, and so may we rest.',
  },
  小雪: { zh: '天气转冷，初雪也许就在路上。', en: 'It grows colder; the first snow may be on its way.' },
  大雪: { zh: '雪渐渐大了，屋里的热茶正香。', en: 'Snow deepens, and a hot cup indoors tastes best.' },
  冬至: {
    zh: '黑夜最长的时候过去，白天一天天变长。',
    en: 'The longest night passes, and the days grow longer.',
  },
  小寒: { zh: '冷在三九，梅花偏在这时开。', en: 'Deep winter sets in, and the plum blossoms still open.' },
  大寒: {
    zh: '一年最后一个节气，冷到深处，春天就近了。',
    en: 'The last term of the year: beyond the cold, spring is near.',
  },
}
