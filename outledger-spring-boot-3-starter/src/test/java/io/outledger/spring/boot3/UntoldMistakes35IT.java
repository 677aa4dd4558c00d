// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.UntoldMistakesContract;
import org.junit.jupiter.api.Tag;

/** On this line of Spring Boot. */
@Tag("long")
class UntoldMistakes35IT extends UntoldMistakesContract {}
