// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.UntoldMistakesContract;

/** On this line of Spring Boot. */
class UntoldMistakes35IT extends UntoldMistakesContract {}
