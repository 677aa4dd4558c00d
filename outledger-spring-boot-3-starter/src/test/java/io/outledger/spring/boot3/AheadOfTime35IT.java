// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.AheadOfTimeContract;

/** An application that is processed ahead of time, on this line of Spring Boot. */
class AheadOfTime35IT extends AheadOfTimeContract {}
