import type { Wording } from '../wording.ts'

/** Few words, a longer view, and a question rather than advice. */
export const englishWise: Wording = {
  hello: {
    morning: [
      'Good morning{name}. A day begun calmly is half well spent.',
      'Good morning{name}. First be still, then set out.',
    ],
    noon: [
      'Good day{name}. Halfway along, a look back is worthwhile.',
      'Good day{name}. The sun stands high; the mind may rest.',
    ],
    afternoon: [
      'Good afternoon{name}. Some things come first, and some can wait.',
      'Good afternoon{name}. Half a day is still a beginning.',
    ],
    evening: [
      'Good evening{name}. As the day ends, let the mind come home.',
      'Good evening{name}. Not all that you gained fits on a list.',
    ],
  },
  themes: {
    比肩: {
      says: [
        'Companions are mirrors: in others today you may see yourself.',
        'To stand alone and to belong are one art: knowing who you are.',
      ],
      tip: 'Ask: whose strength could I learn from?',
    },
    劫财: {
      says: [
        'Giving is a gift, and so is a boundary. Look for the measure between them.',
        'Between holding on and letting go lies what you truly value.',
      ],
      tip: 'Note what you would give, and what you keep.',
    },
    食神: {
      says: [
        'Ease is a strength of its own. Let what you hold ripen slowly.',
        'The flavour is in the chewing: today’s good lies in small things.',
      ],
      tip: 'Choose one small thing and do it with care.',
    },
    伤官: {
      says: [
        'An edge is a gift, and so is its sheath. Notice when to use which.',
        'In discontent there is often something new. Turn it into a better question.',
      ],
      tip: 'Turn one complaint into a proposal.',
    },
    偏财: {
      says: [
        'Where things flow there is life. Let your view travel one step further.',
        'Chances come beside the plan; those who leave room may meet them.',
      ],
      tip: 'Leave half an hour of today unplanned.',
    },
    正财: {
      says: [
        'Small steps make distance; today’s step has its own weight.',
        'To be thorough is not to be slow: each step counts.',
      ],
      tip: 'Give fifteen minutes to a long-term aim.',
    },
    七杀: {
      says: [
        'Pressure is a whetstone: it hones, and it shows where you are heading.',
        'When it is hard, ask first what lies with you and what does not.',
      ],
      tip: 'Begin with one thing you can influence.',
    },
    正官: {
      says: [
        'Rules are river banks: with banks, water travels far.',
        'A duty gladly chosen weighs little. Ask what you would choose today.',
      ],
      tip: 'Ask: for whom, and why, am I doing this?',
    },
    偏印: {
      says: [
        'Insight grows in quiet. Take a few steps inward today.',
        'An odd thought deserves to be heard out before it is judged.',
      ],
      tip: 'Write an odd idea out before you judge it.',
    },
    正印: {
      says: [
        'To receive well is a kind of maturity. Let someone lend you a hand.',
        'Learning feeds the heart; one page can carry a day.',
      ],
      tip: 'Read one page; copy the line that moves you.',
    },
    木: {
      says: [
        'Trees do not compete in height. Ask only whether you have grown.',
        'A beginning does well to be light rather than large.',
      ],
      tip: 'Make the smallest start on one wish.',
    },
    火: {
      says: [
        'Fire gives light and needs wood. Mind your own warmth as well.',
        'A clear mind speaks warmly: to be plain is already a kindness.',
      ],
      tip: 'Offer one sincere word of praise.',
    },
    土: {
      says: [
        'The earth says nothing and carries all. Steadiness is your ground today.',
        'Where the roots are deep it is often quiet.',
      ],
      tip: 'Return to one good habit, just once.',
    },
    金: {
      says: [
        'Take away what is too much, and what is true remains.',
        'To be clear is not to be cold: it is knowing what matters.',
      ],
      tip: 'Cross out the least important thing.',
    },
    水: {
      says: [
        'Water does not compete, and still it arrives. Go with what is moving.',
        'In still water the image is clear; the answer may be there already.',
      ],
      tip: 'Sit for five minutes and watch your breath.',
    },
  },
  clash: [
    'By tradition today clashes with your birth pillars, which means movement: when things shift, one sees where one’s centre lies.',
    'The day faces your birth pillars, an old image of change. Those who leave room can turn.',
  ],
  union: [
    'Today is in union with your birth pillars: each completes the other.',
    'The day joins with your birth pillars: a time to listen, and to go hand in hand.',
  ],
  termToday: [
    'Today is {term}: the year turns, and one may turn with it.',
    '{term} is here. The seasons keep their order; the heart may rest in it.',
  ],
  termTomorrow: [
    'Tomorrow is {term}. One stretch ends; look back at what it gave.',
    '{term} is near: the world draws breath, and so may you.',
  ],
  festival: [
    'Today is {festival}: an inn on the road of the year. Sit a while.',
    'It is {festival}. Joy that is shared is the plainest wisdom.',
  ],
  remembrance: [
    'Today is {festival}: we look back so as to cherish what is here.',
    'It is {festival}. To remember is a way of keeping company.',
  ],
}
