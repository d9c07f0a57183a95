import type { TenGod } from '../chart/chart.ts'
import type { Phrase } from '../language.ts'

/** What a time of each ten god is about, in a sentence: how tradition reads it, said as an occasion to grow. */
export const godThemes: Readonly<Record<TenGod, Phrase>> = {
  比肩: {
    zh: '主题是“自己与同伴”：适合站稳自己的位置，也学着和相似的人并肩。',
    en: 'The theme is oneself among equals: standing on your own feet, and side by side with people like you.',
  },
  劫财: {
    zh: '主题是“分享与边界”：人来人往多，适合练习合作，也把钱和责任说清楚。',
    en: 'The theme is sharing and limits: many people about, a time to practise working together and to be clear on money and duties.',
  },
  食神: {
    zh: '主题是“舒展与创作”：适合把喜欢的事慢慢做好，享受过程。',
    en: 'The theme is ease and making: doing what you like slowly and well, and enjoying it.',
  },
  伤官: {
    zh: '主题是“表达与突破”：想法多、话也直，适合创新，说话前多留一拍。',
    en: 'The theme is expression and breaking new ground: many ideas and plain words, so leave a breath before speaking.',
  },
  偏财: {
    zh: '主题是“机会与流动”：接触面变宽，适合多看多试，量力而行。',
    en: 'The theme is openings and movement: a wider circle, a time to look and try within your means.',
  },
  正财: {
    zh: '主题是“踏实与经营”：适合打理日常、积累和兑现，一步一步来。',
    en: 'The theme is steady tending: daily affairs, building up, keeping promises, step by step.',
  },
  七杀: {
    zh: '主题是“压力与魄力”：要求变高，正好练习分清主次、借力而行。',
    en: 'The theme is pressure and courage: demands rise, which is practice in what comes first and in accepting help.',
  },
  正官: {
    zh: '主题是“责任与秩序”：适合承担、立规矩，也给自己留一点弹性。',
    en: 'The theme is responsibility and order: taking things on and giving them a form, with some slack for yourself.',
  },
  偏印: {
    zh: '主题是“独处与钻研”：适合往深处学，也记得常出来透透气。',
    en: 'The theme is solitude and study: going deep, and coming up for air.',
  },
  正印: {
    zh: '主题是“学习与滋养”：适合充电、被支持，也好好照顾自己。',
    en: 'The theme is learning and being nourished: recharging, letting others help, looking after yourself.',
  },
}
