import { describe, expect, it } from 'vitest'

import { crisisResources, crisisWords, showsCrisis } from './crisis.ts'

describe('signs of self-harm', () => {
  it.each([
    '最近压力很大，不想活了',
    '有时候觉得活着没意思',
    '我想死',
    '想要结束自己的生命',
    '昨晚又割腕了',
    '總有輕生的念頭',
    '我忍不住伤害自己',
    '从世界上消失就好了',
    '我觉得大家没有我会更好',
    '要是没有我，他们会更幸福',
    '好想消失',
    '我真的撑不下去了',
    'I want to die',
    'thinking about suicide again',
    'I keep hurting myself',
    'everyone would be better off without me',
    'I can’t go on living like this',
    "I don't want to be alive",
    'sometimes I think of ending my life',
    'I relapsed into self-harm',
    '工作忙死了，真的不想活了',
    '我想去死',
    '昨晚我又自残了',
    '不如死了算了',
    '活着好累',
    '真希望明天不想再醒来',
    '我想离开这个世界',
    '好累想死',
    '活著沒有意義',
    'there is no reason to live',
    "I don't want to be here anymore",
    "I don't want to wake up",
    'I am tired of living',
    'I would be better off dead',
  ])('are seen in %j', (words) => {
    expect(showsCrisis(words)).toBe(true)
  })

  it.each([
    '想死你了',
    '我想死家里的饭菜了',
    '笑死我了',
    '想消失几天，去海边走走',
    '公司快撑不下去了',
    '他们没有我的电话',
    '今天累死了',
    '热得想死',
    '担心工作不稳定',
    '想换个城市生活',
    '人生规划',
    '对未来有点迷茫',
    'this cake is to die for',
    'I am dying to know',
    'killing time before the deadline',
    'worried about my career',
    'I cut the budget myself',
    'my life is about to change',
    '这蛋糕好吃得要死',
    'my plants died',
    '我的猫离开了',
    "I can't wake up early",
    "I don't want to wake up early",
    'the war of 1812',
    '',
  ])('are not seen in %j', (words) => {
    expect(showsCrisis(words)).toBe(false)
  })
})

describe('the words for somebody in need', () => {
  it.each(['zh', 'en'] as const)('name every line in %s', (language) => {
    for (const { contact } of crisisResources) {
      expect(crisisWords[language]).toContain(contact.replace('https://', ''))
    }
  })
})
