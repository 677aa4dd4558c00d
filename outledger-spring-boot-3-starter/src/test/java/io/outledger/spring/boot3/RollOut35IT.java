// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.RollOutContract;

/** An old and a new version of an application on this line of Spring Boot. */
class RollOut35IT extends RollOutContract {}
