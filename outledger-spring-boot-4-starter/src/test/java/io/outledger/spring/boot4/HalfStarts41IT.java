// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.HalfStartsContract;

/** On this line of Spring Boot. */
class HalfStarts41IT extends HalfStartsContract {}
