import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isSameText, textFeatures } from './text-similarity.ts'

const same = (one: string, other: string): boolean => isSameText(textFeatures(one), textFeatures(other))

describe('two memories', () => {
  it.each([
    ['I like hiking', 'The user likes hiking.'],
    ['My cat is called Mimi', 'my cat is called MIMI!'],
    ['我喜欢爬山', '用户喜欢爬山。'],
    ['我喜欢爬山', '我非常喜欢爬山'],
    ['女儿明年上小学', '我的女儿明年上小学了'],
    ['Can’t eat peanuts', "I can't eat peanuts"],
  ])('“%s” and “%s” are one', (one, other) => {
    expect(same(one, other)).toBe(true)
    expect(same(other, one)).toBe(true)
  })

  it.each([
    ['I like tea', "I don't like tea"],
    ['I like tea', 'I never liked tea'],
    ['I can eat peanuts', "I can't eat peanuts"],
    ['I like tea', 'She likes tea'],
    ['My sister lives in Chengdu', 'My brother lives in Chengdu'],
    ['I work as a teacher in Chengdu at a school', 'I used to work as a teacher in Chengdu at a school'],
    ['Anna is older than Ben', 'Ben is older than Anna'],
    ['I moved from Berlin to Hamburg last summer', 'I moved from Hamburg to Berlin last summer'],
    ['The exam is on 3 May', 'The exam is on 4 May'],
    ['我喜欢喝茶', '我不喜欢喝茶'],
    ['我喜欢喝茶', '我以前喜欢喝茶'],
    ['我有两只猫', '我有三只猫'],
    ['妈妈爱爸爸', '爸爸爱妈妈'],
    ['我喜欢爬山', '我喜欢爬山和游泳，周末常去'],
    ['我是老师', '我想当老师'],
    ['🙂', '🎉'],
    ['我', '他'],
  ])('“%s” and “%s” are two', (one, other) => {
    expect(same(one, other)).toBe(false)
    expect(same(other, one)).toBe(false)
  })

  it('are one where they are equal, whichever comes first', () => {
    const text = string({ unit: 'binary', maxLength: 80 })
    assert(
      property(text, text, (one, other) => {
        expect(same(one, one)).toBe(true)
        expect(same(one, other)).toBe(same(other, one))
      }),
    )
  })
})
