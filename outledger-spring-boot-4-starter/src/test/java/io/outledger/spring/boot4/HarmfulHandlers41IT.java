// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.HarmfulHandlersContract;

/** Harmful handlers on this line of Spring Boot. */
class HarmfulHandlers41IT extends HarmfulHandlersContract {}
