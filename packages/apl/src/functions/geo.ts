import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { nullOf } from '../lower/values.js';
import { defineFunction, param } from './define.js';
import type { FunctionRecord } from './define.js';

/**
 * Functions of points on earth. A point is its longitude and its latitude, in degrees; outside
 * their bounds it is null.
 */

const place = (n = '') => [param(`longitude${n}`, 'real'), param(`latitude${n}`, 'real')] as const;

const isPlace = (longitude: Expr, latitude: Expr): Expr =>
  and(
    call('lessOrEquals', call('abs', longitude), literal(180)),
    call('lessOrEquals', call('abs', latitude), literal(90)),
  );

/**
 * Degrees that the engine takes: of a row without a place, which gives null anyway, those of any.
 */
const degrees = (value: Expr, max: number): Expr =>
  call('if', call('lessOrEquals', call('abs', value), literal(max)), call('assumeNotNull', value), literal(0));

const distance = (lon1: Expr, lat1: Expr, lon2: Expr, lat2: Expr): Expr =>
  call('toFloat64', call('geoDistance', degrees(lon1, 180), degrees(lat1, 90), degrees(lon2, 180), degrees(lat2, 90)));

const GEOHASH = '^[0-9b-hjkmnp-z]{1,18}$';

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'geo_distance_2points',
    summary: 'The distance between two places in metres; null if one is none.',
    params: [...place('1'), ...place('2')],
    returns: 'real',
    lower: ([a, b, c, d]) =>
      call(
        'if',
        and(isPlace(a.sql, b.sql), isPlace(c.sql, d.sql)),
        distance(a.sql, b.sql, c.sql, d.sql),
        nullOf('real'),
      ),
    examples: [
      {
        apl: 'geo_distance_2points(-122.407628, 47.578557, -118.275287, 34.019056)',
        gives: 1545615.79,
        tolerance: 1e-8,
      },
      { apl: 'geo_distance_2points(8.0, 50.0, 8.0, 50.0)', gives: 0 },
      { apl: 'geo_distance_2points(300.0, 1.0, 1.0, 1.0)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'Over the ellipsoid WGS 84; may differ by a tenth of a per cent.' },
  }),
  defineFunction({
    name: 'geo_point_in_circle',
    summary: 'Whether a place is within a radius in metres of another one.',
    params: [...place(), ...place('OfCentre'), param('radius', 'real')],
    returns: 'bool',
    lower: ([a, b, c, d, radius]) =>
      call(
        'if',
        and(isPlace(a.sql, b.sql), isPlace(c.sql, d.sql)),
        call('toBool', call('lessOrEquals', distance(a.sql, b.sql, c.sql, d.sql), radius.sql)),
        nullOf('bool'),
      ),
    examples: [
      { apl: 'geo_point_in_circle(13.4, 52.5, 13.3, 52.5, 10000.0)', gives: true },
      { apl: 'geo_point_in_circle(13.4, 52.5, 13.3, 52.5, 1000.0)', gives: false },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'geo_point_to_geohash',
    summary: 'The geohash of a place, of 5 characters unless accuracy says otherwise; null if it is none.',
    params: [...place(), param('accuracy', 'long', { optional: true, constant: true, within: { min: 1n, max: 18n } })],
    returns: 'string',
    lower: ([longitude, latitude, accuracy]) => {
      const characters = typeof accuracy?.constant === 'bigint' ? accuracy.constant : 5n;
      const [lon, lat] = [longitude.sql, latitude.sql];
      // The engine writes twelve characters at most.
      const hash = call(
        'geohashEncode',
        degrees(lon, 180),
        degrees(lat, 90),
        integer(characters > 12n ? 12n : characters),
      );
      return call('if', isPlace(lon, lat), hash, nullOf('string'));
    },
    examples: [
      { apl: 'geo_point_to_geohash(-80.195829, 25.802215, 8)', gives: 'dhwfz15h' },
      { apl: 'geo_point_to_geohash(139.806115, 35.554128, 12)', gives: 'xn76m27ty9g4' },
      { apl: 'geo_point_to_geohash(-80.195829, 25.802215)', gives: 'dhwfz' },
      { apl: 'geo_point_to_geohash(200.0, 0.0)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'At most 12 characters.' },
  }),
  defineFunction({
    name: 'geo_geohash_to_central_point',
    summary: 'The center of a geohash as a GeoJSON point; null if the text is not a geohash.',
    params: [param('geohash', 'string')],
    returns: 'bag',
    lower: ([geohash]) => {
      const known = call('match', geohash.sql, literal(GEOHASH));
      const point = call('geohashDecode', call('if', known, call('assumeNotNull', geohash.sql), literal('s')));
      const json = shareSubexpression(point, (at) =>
        call(
          'concat',
          literal('{"type":"Point","coordinates":['),
          call('toString', call('tupleElement', at, integer(1))),
          literal(','),
          call('toString', call('tupleElement', at, integer(2))),
          literal(']}'),
        ),
      );
      return call('if', known, json, nullOf('bag'));
    },
    examples: [
      {
        apl: 'geo_geohash_to_central_point("sunny")',
        gives: { type: 'Point', coordinates: [42.47314453125, 23.70849609375] },
      },
      { apl: 'geo_geohash_to_central_point("a")', gives: null },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'geo_point_in_polygon',
    summary: 'Whether a place is in a GeoJSON polygon, whose holes are left out.',
    params: [...place(), param('polygon', 'bag')],
    returns: 'bool',
    lower: ([longitude, latitude, polygon]) => {
      const rings = call(
        'JSONExtract',
        call('ifNull', polygon.sql, literal('')),
        literal('coordinates'),
        literal('Array(Array(Tuple(Float64, Float64)))'),
      );
      return shareSubexpression(rings, (all) => {
        const inRing = (ring: Expr): Expr =>
          call(
            'if',
            call('less', call('length', ring), integer(3)),
            integer(0),
            windings(longitude.sql, latitude.sql, ring),
          );
        const outer = inRing(call('arrayElement', all, integer(1)));
        const inHole = call(
          'arrayExists',
          lambda(['ring'], inRing(column('ring'))),
          call('arraySlice', all, integer(2)),
        );
        return call(
          'if',
          and(isPlace(longitude.sql, latitude.sql), call('isNotNull', polygon.sql), call('notEmpty', all)),
          call('toBool', and(outer, call('not', inHole))),
          nullOf('bool'),
        );
      });
    },
    examples: [
      {
        apl: 'geo_point_in_polygon(1.0, 1.0, dynamic({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}))',
        gives: true,
      },
      {
        apl: 'geo_point_in_polygon(5.0, 1.0, dynamic({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}))',
        gives: false,
      },
      {
        apl: 'geo_point_in_polygon(1.0, 1.0, dynamic({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[0.5, 0.5], [2, 0.5], [2, 2], [0.5, 2], [0.5, 0.5]]]}))',
        gives: false,
      },
      { apl: 'geo_point_in_polygon(1.0, 1.0, dynamic({"a": 1}))', gives: null },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'Edges are straight in degrees, not on the sphere. No MultiPolygon.' },
  }),
];

/** 1 if a ray from the place to the east crosses an odd number of edges of the ring, else 0. */
function windings(longitude: Expr, latitude: Expr, ring: Expr): Expr {
  const at = (point: string, n: number): Expr => call('tupleElement', column(point), integer(n));
  const above = (point: string): Expr => call('greater', at(point, 2), latitude);
  const share = call('divide', call('minus', latitude, at('p', 2)), call('minus', at('q', 2), at('p', 2)));
  const crossing = call('plus', at('p', 1), call('multiply', share, call('minus', at('q', 1), at('p', 1))));
  const crosses = and(call('notEquals', above('p'), above('q')), call('less', longitude, crossing));
  const next = call('arrayRotateLeft', ring, integer(1));
  return call(
    'modulo',
    call('arrayCount', lambda(['p', 'q'], call('ifNull', crosses, integer(0))), ring, next),
    integer(2),
  );
}
