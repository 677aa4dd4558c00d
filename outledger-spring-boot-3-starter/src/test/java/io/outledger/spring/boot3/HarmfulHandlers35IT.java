// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.HarmfulHandlersContract;
import org.junit.jupiter.api.Tag;

/** Harmful handlers on this line of Spring Boot. */
@Tag("long")
class HarmfulHandlers35IT extends HarmfulHandlersContract {}
