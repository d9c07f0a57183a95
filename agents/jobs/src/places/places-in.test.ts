import { describe, expect, it } from 'vitest'

import { placesIn } from './places-in.ts'
import { workplaceIn, type Workplace } from './workplace.ts'

describe('the places of a posting', () => {
  it.each([
    ['Berlin; Remote (EU)', ['Berlin', 'Remote (EU)']],
    ['北京/上海', ['北京', '上海']],
    ['北京 / 远程', ['北京', '远程']],
    ['北京、上海、深圳', ['北京', '上海', '深圳']],
    ['北京，上海', ['北京', '上海']],
    ['杭州，中国', ['杭州，中国']],
    ['上海·浦东新区', ['上海·浦东新区']],
    ['San Francisco, CA, US', ['San Francisco, CA, US']],
    ['San Francisco, CA / New York, NY', ['San Francisco, CA', 'New York, NY']],
    ['London or Paris', ['London', 'Paris']],
    ['NYC | SF | nyc', ['NYC', 'SF']],
    ['Bosnia and Herzegovina', ['Bosnia and Herzegovina']],
    ['Portland', ['Portland']],
    ['Remote', ['Remote']],
    ['24/7', ['24/7']],
    ['  ', []],
    [';;', []],
  ])('%j are %j', (text, places) => {
    expect(placesIn(text)).toEqual(places)
  })
})

describe('the workplace', () => {
  it.each<[string, Workplace | null]>([
    ['Engineer (Remote)', 'remote'],
    ['Fully remote, EU', 'remote'],
    ['Work from home', 'remote'],
    ['全栈工程师（远程办公）', 'remote'],
    ['可远程', 'remote'],
    ['居家办公', 'remote'],
    ['Hybrid, London', 'hybrid'],
    ['Hybrid / Remote', 'hybrid'],
    ['北京（混合办公）', 'hybrid'],
    ['上海，混合', 'hybrid'],
    ['On-site in Berlin', 'onsite'],
    ['London, in-office', 'onsite'],
    ['深圳 坐班', 'onsite'],
    ['No remote', 'onsite'],
    ['不支持远程', 'onsite'],
    ['Remote Sensing Engineer', null],
    ['Hybrid Cloud Architect', null],
    ['混合云架构师', null],
    ['远程控制软件工程师', null],
    ['San Francisco', null],
    ['', null],
  ])('%j says %s', (text, workplace) => {
    expect(workplaceIn(text)).toBe(workplace)
  })
})
