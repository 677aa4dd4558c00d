// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.PropertyEffectsContract;

/** On this line of Spring Boot. */
class PropertyEffects41IT extends PropertyEffectsContract {}
