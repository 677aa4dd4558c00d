// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.InstancesContract;

/** Instances with and without a relay on this line of Spring Boot. */
class Instances35IT extends InstancesContract {}
