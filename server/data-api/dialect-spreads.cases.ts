// Cases of the dialect: spread resources and aggregates.
import type { DialectCase } from './dialect.fixture.ts'

type Given = readonly (readonly [path: string, answer: unknown])[]

const SPREADS: Given = [
  ['/hut?select=id,...region(area:name)&id=eq.1', [{ id: 1, area: 'Tyrol' }]],
  ['/tour?select=id,...tour_start(name)&id=eq.4', [{ id: 4, name: null }]],
  [
    '/hut?select=id,...region(region_name:name,...parent_id(country:name))&id=eq.1',
    [{ id: 1, region_name: 'Tyrol', country: 'Alps' }],
  ],
  ['/tour?select=id,...hut!tour_goal(name,beds)&id=eq.2', [{ id: 2, name: 'Berg', beds: 40 }]],
  [
    '/hut?select=id,...warden!inner(who:name)&order=id',
    [
      { id: 1, who: 'Resi' },
      { id: 2, who: 'Sepp' },
    ],
  ],
  ['/hut?select=id,...region(region(id))&id=eq.1', [{ id: 1, region: [] }]],
  ['/hut?select=id,...region(hut(id))&id=eq.3', [{ id: 3, hut: [{ id: 3 }] }]],
  ['/tour?select=id,...start_hut(hut:name,what:label)&id=eq.1', [{ id: 1, hut: 'Alm', what: 'Alm 1' }]],
  [
    '/tour?select=id,...tour_start(stars:extra->>stars,beds::text)&id=eq.1',
    [{ id: 1, stars: '3', beds: '10' }],
  ],
  ['/warden?select=...hut(*)&hut_id=eq.3', []],
  [
    '/hut?select=id,...warden(hut_id,who:name)&warden.name=eq.Resi&id=in.(1,2)&order=id',
    [
      { id: 1, hut_id: 1, who: 'Resi' },
      { id: 2, hut_id: null, who: null },
    ],
  ],
  ['/hut?select=id,...region(area:name)&order=region(name),id&limit=1', [{ id: 4, area: 'Harz' }]],
  ['/hut?select=id,...warden()&warden=is.null&order=id', [{ id: 3 }, { id: 4 }]],
  // To many: arrays in one order.
  [
    '/region?select=name,...hut(ids:id,names:name)&hut.order=id.desc&id=eq.2',
    [{ name: 'Tyrol', ids: [2, 1], names: ['Berg', 'Alm'] }],
  ],
  ['/region?select=id,...hut(ids:id)&id=eq.1', [{ id: 1, ids: [] }]],
  ['/tour?select=id,...guide(guides:name)&guide.order=name.desc&id=eq.1', [{ id: 1, guides: ['Bo', 'Ada'] }]],
  ['/tour?select=id,...stage(minutes)&stage.order=nr&id=eq.2', [{ id: 2, minutes: [240, null] }]],
  [
    '/tour?select=id,...stage(titles:title)&stage.order=nr&stage.limit=1&id=eq.1',
    [{ id: 1, titles: ['Up'] }],
  ],
  ['/tour?select=id,...stage(titles:title)&stage.title=eq.Down&id=eq.1', [{ id: 1, titles: ['Down'] }]],
  ['/tour?select=id,...stage!inner(titles:title)&stage.title=eq.Down', [{ id: 1, titles: ['Down'] }]],
  [
    '/region?select=id,...hut(ids:id,...warden(wardens:name))&hut.order=id&id=eq.2',
    [{ id: 2, ids: [1, 2], wardens: ['Resi', 'Sepp'] }],
  ],
  [
    '/guide?select=id,...tour(titles:title,...stage(parts:title))&tour.order=id&tour.stage.order=nr&id=eq.1',
    [
      {
        id: 1,
        titles: ['Round', 'Ridge'],
        parts: [
          ['Up', 'Down'],
          ['Climb', 'Rest'],
        ],
      },
    ],
  ],
  [
    '/tour?select=title,guides:tour_guide(role,...guide(name))&guides.order=guide(name)&id=eq.1',
    [
      {
        title: 'Round',
        guides: [
          { role: 'lead', name: 'Ada' },
          { role: 'help', name: 'Bo' },
        ],
      },
    ],
  ],
  ['/hut?select=id,...neighbours(near:id)&id=eq.1', [{ id: 1, near: [2] }]],
  ['/region?select=...hut(id,region_id)&id=eq.4', [{ id: [4], region_id: [4] }]],
  [
    '/rpc/huts_in?region=2&select=id,...warden(who:name)&order=id',
    [
      { id: 1, who: 'Resi' },
      { id: 2, who: 'Sepp' },
    ],
  ],
]

const AGGREGATES: Given = [
  ['/hut?select=count()', [{ count: 4 }]],
  ['/hut?select=n:count()', [{ n: 4 }]],
  ['/hut?select=beds.count()', [{ count: 3 }]],
  ['/hut?select=beds.sum(),beds.min(),beds.max()', [{ sum: 55, min: 5, max: 40 }]],
  ['/hut?select=beds.avg()::int', [{ avg: 18 }]],
  ['/hut?select=count()::text', [{ count: '4' }]],
  ['/hut?select=total:beds.sum()::text&id=lt.3', [{ total: '50' }]],
  ['/hut?select=extra->>stars::int.sum()', [{ sum: 4 }]],
  ['/hut?select=beds::text.max()', [{ max: '5' }]],
  ['/hut?select=extra->stars::int.max()::text&id=lt.3', [{ max: '3' }]],
  [
    '/hut?select=region_id,count()&order=region_id',
    [
      { region_id: 2, count: 2 },
      { region_id: 3, count: 1 },
      { region_id: 4, count: 1 },
    ],
  ],
  ['/hut?select=r:region_id,beds.sum()&order=region_id&limit=1', [{ r: 2, sum: 50 }]],
  ['/hut?select=extra->>water,count()&extra->>water=eq.true', [{ water: 'true', count: 1 }]],
  ['/hut?select=tag_count,count()&tag_count=eq.1', [{ tag_count: 1, count: 2 }]],
  ['/hut?select=tag_count.sum()', [{ sum: 4 }]],
  ['/hut?select=opened::text,count()&id=eq.1', [{ opened: '1901-06-01', count: 1 }]],
  ['/hut?select=count(),beds.max()&id=eq.9', [{ count: 0, max: null }]],
  ['/hut?select=region_id,count()&id=eq.9', []],
  [
    '/hut?select=w:extra->>water,count()&extra->>water=not.is.null&order=extra->>water',
    [
      { w: 'false', count: 1 },
      { w: 'true', count: 1 },
    ],
  ],
  [
    '/hut?select=extra->host->>name,n:count()&order=extra->host->>name.desc.nullslast&limit=1',
    [{ name: 'Sepp', n: 1 }],
  ],
  ['/hut?select=tag_count,count()&order=tag_count&limit=1', [{ tag_count: 0, count: 1 }]],
  // With embedded resources, and in them.
  ['/hut?select=beds.sum(),region(name)&region_id=eq.2', [{ sum: 50, region: { name: 'Tyrol' } }]],
  ['/hut?select=count(),...region(area:name)&region_id=eq.2', [{ count: 2, area: 'Tyrol' }]],
  [
    '/region?select=name,hut(count())&id=in.(1,2)&order=id',
    [
      { name: 'Alps', hut: [{ count: 0 }] },
      { name: 'Tyrol', hut: [{ count: 2 }] },
    ],
  ],
  [
    '/region?select=name,hut(beds.sum(),mood)&id=eq.2&hut.order=mood',
    [
      {
        name: 'Tyrol',
        hut: [
          { sum: 10, mood: 'calm' },
          { sum: 40, mood: 'busy' },
        ],
      },
    ],
  ],
  ['/tour?select=title,stage(minutes.sum())&id=eq.1', [{ title: 'Round', stage: [{ sum: 150 }] }]],
  ['/guide?select=name,tour(km.sum())&id=eq.1', [{ name: 'Ada', tour: [{ sum: 32.5 }] }]],
  [
    '/region?select=id,region(hut(count()))&id=eq.1&region.order=id',
    [{ id: 1, region: [{ hut: [{ count: 2 }] }, { hut: [{ count: 1 }] }] }],
  ],
  ['/region?select=count(),...hut(ids:id)&id=in.(1)', [{ count: 1, ids: [] }]],
  ['/region?select=count(),...hut(ids:id)&hut.order=id&id=in.(2)', [{ count: 1, ids: [1, 2] }]],
  ['/hut?select=count(),...region(up:parent_id(name))&region_id=eq.2', [{ count: 2, up: { name: 'Alps' } }]],
  // A to-one spread aggregates over the rows that embed it.
  [
    '/tour?select=level.count(),...tour_start(height.max(),height.min())',
    [{ count: 3, max: 2100, min: 1200.5 }],
  ],
  ['/tour?select=goal_id,...tour_start(n:count())&goal_id=eq.2', [{ goal_id: 2, n: 1 }]],
  ['/tour?select=...tour_start(count())', [{ count: 3 }]],
  // Ordered by a column that is lifted.
  [
    '/tour?select=km.sum(),...tour_start(name)&order=tour_start(name)',
    [
      { sum: 32.5, name: 'Alm' },
      { sum: 8, name: 'Berg' },
      { sum: null, name: null },
    ],
  ],
  [
    '/tour?select=km.sum(),...tour_start(height.max(),from:name)&order=tour_start(name).desc.nullslast&limit=1',
    [{ sum: 8, max: 2100, from: 'Berg' }],
  ],
  [
    '/tour?select=count(),...tour_start(extra->>stars)&order=tour_start(extra->>stars).desc.nullslast',
    [
      { count: 2, stars: '3' },
      { count: 1, stars: '1' },
      { count: 1, stars: null },
    ],
  ],
  [
    '/region?select=name,hut(beds.sum(),...warden(who:name))&hut.order=warden(name).desc&id=eq.2',
    [
      {
        name: 'Tyrol',
        hut: [
          { sum: 40, who: 'Sepp' },
          { sum: 10, who: 'Resi' },
        ],
      },
    ],
  ],
  // Grouped by the column itself where its cast has no name of its own.
  [
    '/hut?select=beds::text,id.count()&order=beds.desc.nullslast',
    [
      { beds: '40', count: 1 },
      { beds: '10', count: 1 },
      { beds: '5', count: 1 },
      { beds: null, count: 1 },
    ],
  ],
  [
    '/hut?select=height::int,count()&order=height&limit=2',
    [
      { height: 600, count: 1 },
      { height: 1201, count: 1 },
    ],
  ],
  ['/hut?select=info::text,count()&id=eq.1', [{ info: '{"k": "v"}', count: 1 }]],
  ['/tour?select=...tour_start(...region(id.max()::text))', [{ max: '2' }]],
  ['/tour?select=...tour_start(region_id,beds.sum())&id=in.(1,2)', [{ region_id: 2, sum: 20 }]],
  ['/tour?select=...tour_start(extra->>stars::int.sum())&id=lt.4', [{ sum: 7 }]],
  ['/rpc/huts_in?region=2&select=beds.sum()', [{ sum: 50 }]],
]

export const SPREAD_CASES: readonly DialectCase[] = [...SPREADS, ...AGGREGATES].map(([path, answer]) => ({
  name: path,
  path,
  status: 200,
  answer,
}))
