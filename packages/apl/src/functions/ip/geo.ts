import { call, literal } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';

/** The result for an address in no network of the table. */
const unknown = JSON.stringify({
  country: '',
  state: '',
  city: '',
  latitude: '',
  longitude: '',
  country_iso: '',
  time_zone: '',
});

export const geoRecord = defineFunction({
  name: 'geo_info_from_ip_address',
  summary:
    'The place of an IPv4 or IPv6 address: country, state, city, latitude, longitude, country_iso and time_zone, each "" if unknown; null if the text is not an address.',
  params: [param('address', 'string')],
  returns: 'bag',
  lower: ([address], { reference: { geoNetworks } }) => {
    if (geoNetworks === undefined) return nullOf('bag');
    const info = call(
      'dictGetOrDefault',
      literal(`${geoNetworks.database}.${geoNetworks.dictionary}`),
      literal('info'),
      call('tuple', call('toIPv6OrDefault', call('ifNull', address.sql, literal('')))),
      literal(unknown),
    );
    return call('if', call('isNotNull', call('toIPv6OrNull', address.sql)), info, nullOf('bag'));
  },
  check: (_, { reference }) =>
    reference.geoNetworks === undefined
      ? {
          argument: 0,
          message: 'geo_info_from_ip_address needs the places of networks: the setting geo-networks names no file',
        }
      : undefined,
  examples: [
    { apl: 'geo_info_from_ip_address("192.0.2.1").city', gives: 'Sampleton' },
    { apl: 'geo_info_from_ip_address("2001:db8::1").country_iso', gives: 'ZZ' },
    { apl: 'geo_info_from_ip_address("2001:db8::1").city', gives: '' },
    {
      apl: 'geo_info_from_ip_address("198.51.100.1")',
      gives: { country: '', state: '', city: '', latitude: '', longitude: '', country_iso: '', time_zone: '' },
    },
    { apl: 'geo_info_from_ip_address("abc")', gives: null },
  ],
});
