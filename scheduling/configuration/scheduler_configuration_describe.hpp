// SPDX-License-Identifier: Apache-2.0

// Describes KubeSchedulerConfiguration and the plugins' arguments for the codec. Included only by
// their codec.
#pragma once

#include <boost/describe.hpp>

#include "scheduling/configuration/plugin_arguments.hpp"
#include "scheduling/configuration/scheduler_configuration.hpp"

namespace berth::scheduling::config {

BOOST_DESCRIBE_STRUCT(LeaderElection, (),
                      (leaderElect, leaseDuration, renewDeadline, retryPeriod, resourceLock,
                       resourceName, resourceNamespace))
BOOST_DESCRIBE_STRUCT(ClientConnection, (),
                      (kubeconfig, acceptContentTypes, contentType, qps, burst))
BOOST_DESCRIBE_STRUCT(Plugin, (), (name, weight))
BOOST_DESCRIBE_STRUCT(PluginSet, (), (enabled, disabled))
BOOST_DESCRIBE_STRUCT(Plugins, (),
                      (preEnqueue, queueSort, preFilter, filter, postFilter, preScore, score,
                       reserve, permit, preBind, bind, postBind, multiPoint))
BOOST_DESCRIBE_STRUCT(PluginConfig, (), (name, args))
BOOST_DESCRIBE_STRUCT(SchedulerProfile, (),
                      (schedulerName, percentageOfNodesToScore, plugins, pluginConfig))
BOOST_DESCRIBE_STRUCT(ExtenderTLSConfig, (),
                      (insecure, serverName, certFile, keyFile, caFile, certData, keyData, caData))
BOOST_DESCRIBE_STRUCT(ExtenderManagedResource, (), (name, ignoredByScheduler))
BOOST_DESCRIBE_STRUCT(Extender, (),
                      (urlPrefix, filterVerb, preemptVerb, prioritizeVerb, weight, bindVerb,
                       enableHTTPS, tlsConfig, httpTimeout, nodeCacheCapable, managedResources,
                       ignorable))
BOOST_DESCRIBE_STRUCT(KubeSchedulerConfiguration, (),
                      (apiVersion, kind, parallelism, leaderElection, clientConnection,
                       enableProfiling, enableContentionProfiling, percentageOfNodesToScore,
                       podInitialBackoffSeconds, podMaxBackoffSeconds, profiles, extenders,
                       delayCacheUntilActive))

BOOST_DESCRIBE_STRUCT(ResourceSpec, (), (name, weight))
BOOST_DESCRIBE_STRUCT(UtilizationShapePoint, (), (utilization, score))
BOOST_DESCRIBE_STRUCT(RequestedToCapacityRatioParam, (), (shape))
BOOST_DESCRIBE_STRUCT(ScoringStrategy, (), (type, resources, requestedToCapacityRatio))
BOOST_DESCRIBE_STRUCT(NodeResourcesFitArgs, (),
                      (apiVersion, kind, ignoredResources, ignoredResourceGroups, scoringStrategy))
BOOST_DESCRIBE_STRUCT(NodeResourcesBalancedAllocationArgs, (), (apiVersion, kind, resources))
BOOST_DESCRIBE_STRUCT(PodTopologySpreadArgs, (),
                      (apiVersion, kind, defaultConstraints, defaultingType))
BOOST_DESCRIBE_STRUCT(InterPodAffinityArgs, (),
                      (apiVersion, kind, hardPodAffinityWeight, ignorePreferredTermsOfExistingPods))
BOOST_DESCRIBE_STRUCT(NodeAffinityArgs, (), (apiVersion, kind, addedAffinity))
BOOST_DESCRIBE_STRUCT(DefaultPreemptionArgs, (),
                      (apiVersion, kind, minCandidateNodesPercentage, minCandidateNodesAbsolute))
BOOST_DESCRIBE_STRUCT(DynamicResourcesArgs, (), (apiVersion, kind, filterTimeout, bindingTimeout))
BOOST_DESCRIBE_STRUCT(VolumeBindingArgs, (), (apiVersion, kind, bindTimeoutSeconds, shape))

}  // namespace berth::scheduling::config
