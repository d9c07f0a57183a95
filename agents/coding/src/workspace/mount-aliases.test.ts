import { describe, expect, it } from 'vitest'

import { aliasesOf, parseMount } from './mount-aliases.ts'

const mountsOf = (...lines: readonly string[]) => lines.flatMap((line) => parseMount(line) ?? [])
const everything = async (): Promise<boolean> => true
/** What each test has besides its own mounts. */
const ROOT = '29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw'

describe('aliasesOf', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['is empty without a second mount', [], []],
    [
      'finds a second mount of the folder',
      ['30 29 8:1 /home/ada/.config/d /srv/alias rw - ext4 x rw'],
      ['/srv/alias'],
    ],
    [
      'finds a second mount of a folder above',
      ['30 29 8:1 /home /mnt/h rw - ext4 x rw', '31 29 8:1 / /mnt/all rw - ext4 x rw'],
      ['/mnt/h/ada/.config/d', '/mnt/all/home/ada/.config/d'],
    ],
    [
      'finds a mount that shows a part',
      ['30 29 8:1 /home/ada/.config/d/deep /opt/x rw - ext4 x rw'],
      ['/opt/x'],
    ],
    ['knows other file systems apart', ['30 29 8:2 /home/ada/.config/d /srv/other rw - ext4 x rw'], []],
    ['knows similar names apart', ['30 29 8:1 /home/ada/.config/dragon /srv/other rw - ext4 x rw'], []],
    [
      'finds a device that is mounted twice',
      ['30 29 8:3 / /home/ada rw - ext4 x rw', '31 29 8:3 / /media/disk rw - ext4 x rw'],
      ['/media/disk/.config/d'],
    ],
    [
      'finds the folders of an overlay, and their second mounts',
      [
        '30 29 0:50 / /home rw - overlay overlay rw,lowerdir=/low\\:er:/low2,upperdir=/up,workdir=/work',
        '31 29 8:1 /up /mnt/up rw - ext4 x rw',
      ],
      ['/low:er/ada/.config/d', '/low2/ada/.config/d', '/up/ada/.config/d', '/mnt/up/ada/.config/d'],
    ],
    [
      'finds an overlay of a folder above',
      ['30 29 0:50 / /merged rw - overlay overlay rw,lowerdir=/home,upperdir=/up,workdir=/work'],
      ['/merged/ada/.config/d', '/up/ada/.config/d'],
    ],
    [
      'reads names with blanks',
      ['30 29 8:1 /home/ada/.config/d /srv/an\\040alias rw - ext4 x rw'],
      ['/srv/an alias'],
    ],
    [
      'takes the mount on top',
      [
        '30 29 8:4 / /home rw - ext4 x rw',
        '31 30 8:5 / /home rw - ext4 x rw',
        '32 29 8:5 / /b rw - ext4 x rw',
      ],
      ['/b/ada/.config/d'],
    ],
    [
      'finds a mount of a part of an overlay',
      [
        '30 29 0:50 / /m rw - overlay overlay rw,lowerdir=/low,upperdir=/home,workdir=/work',
        '31 29 0:50 /ada /opt/x rw - overlay overlay rw,lowerdir=/low,upperdir=/home,workdir=/work',
      ],
      ['/m/ada/.config/d', '/low/ada/.config/d', '/opt/x/.config/d'],
    ],
  ])('%s', async (_, lines, aliases) => {
    const names = await aliasesOf('/home/ada/.config/d', mountsOf(ROOT, ...lines), everything)

    expect([...names].toSorted()).toEqual([...aliases].toSorted())
  })

  it('leaves out what does not exist', async () => {
    const mounts = mountsOf(ROOT, '30 29 8:1 / /nowhere rw - ext4 x rw')
    expect(await aliasesOf('/usr', mounts)).toEqual([])
  })

  it('comes to an end where an overlay shows itself', async () => {
    const mounts = mountsOf(
      ROOT,
      '30 29 0:50 / /m rw - overlay overlay rw,lowerdir=/,upperdir=/up,workdir=/work',
    )

    const names = await aliasesOf('/home/ada', mounts, everything)

    expect(names).toEqual(expect.arrayContaining(['/m/home/ada', '/up/home/ada']))
    expect(names.length).toBeLessThan(50)
  })

  it('is quick where there are thousands of mounts', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `3 29 0:9 /${index} /m/${index} rw - tmpfs x rw`)
    const mounts = mountsOf(ROOT, ...many, '30 29 8:1 /home /mnt/h rw - ext4 x rw')

    expect(await aliasesOf('/home/ada', mounts, everything)).toEqual(['/mnt/h/ada'])
  })
})
